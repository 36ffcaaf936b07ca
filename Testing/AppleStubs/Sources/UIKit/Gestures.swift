public import AppleBase

/// The selector of an Objective-C method; Linux has no Objective-C.
public struct Selector: Sendable {
    public init(_ str: String) { stub() }
}

public enum UIScrollType: Int, Sendable {
    case discrete = 0
    case continuous = 1
}

public struct UIScrollTypeMask: OptionSet, Sendable {
    public var rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static var discrete: UIScrollTypeMask { UIScrollTypeMask(rawValue: 1) }
    public static var continuous: UIScrollTypeMask { UIScrollTypeMask(rawValue: 2) }
    public static var all: UIScrollTypeMask { UIScrollTypeMask(rawValue: 3) }
}

@MainActor open class UIGestureRecognizer: NSObject {
    public enum State: Int, Sendable {
        case possible = 0
        case began = 1
        case changed = 2
        case ended = 3
        case cancelled = 4
        case failed = 5
    }
    public init(target: Any?, action: Selector?) { stub() }
    public var state: State { stub() }
    public var allowedTouchTypes: [NSNumber] {
        get { stub() }
        set { stub() }
    }
    public func location(in view: UIView?) -> CGPoint { stub() }
}

@MainActor open class UIHoverGestureRecognizer: UIGestureRecognizer {}

@MainActor open class UIPanGestureRecognizer: UIGestureRecognizer {
    public var allowedScrollTypesMask: UIScrollTypeMask {
        get { stub() }
        set { stub() }
    }
    public func setTranslation(_ translation: CGPoint, in view: UIView?) { stub() }
    public func translation(in view: UIView?) -> CGPoint { stub() }
}
