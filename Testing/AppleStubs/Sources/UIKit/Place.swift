public import AppleBase
public import CoreGraphics

extension UIView {
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
    public var gestureRecognizers: [UIGestureRecognizer]? {
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
