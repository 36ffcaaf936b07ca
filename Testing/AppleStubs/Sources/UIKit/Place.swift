public import AppleBase
public import CoreGraphics

extension UIView {
    public func addSubview(_ view: UIView) { stub() }
    public var center: CGPoint {
        get { stub() }
        set { stub() }
    }
    public var transform: CGAffineTransform {
        get { stub() }
        set { stub() }
    }
    public var clipsToBounds: Bool {
        get { stub() }
        set { stub() }
    }
    public var isUserInteractionEnabled: Bool {
        get { stub() }
        set { stub() }
    }
    public var isAccessibilityElement: Bool {
        get { stub() }
        set { stub() }
    }
    public var accessibilityTraits: UIAccessibilityTraits {
        get { stub() }
        set { stub() }
    }
}

public struct UIAccessibilityTraits: OptionSet, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public static var image: UIAccessibilityTraits { stub() }
    public static var allowsDirectInteraction: UIAccessibilityTraits { stub() }
}

extension UITouch {
    public enum TouchType: Int, Sendable {
        case direct = 0
        case indirect = 1
        case pencil = 2
        case indirectPointer = 3
    }
    public var type: TouchType { stub() }
}
