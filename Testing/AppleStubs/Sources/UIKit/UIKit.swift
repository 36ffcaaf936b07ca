@_exported public import AppleBase
public import QuartzCore

@MainActor open class UIApplication: UIResponder {
    public class var shared: UIApplication { stub() }
    public var isIdleTimerDisabled: Bool {
        get { stub() }
        set { stub() }
    }
    public nonisolated class var didEnterBackgroundNotification: NSNotification.Name { stub() }
    public nonisolated class var willEnterForegroundNotification: NSNotification.Name { stub() }
}

@MainActor open class UIResponder: NSObject {
    open var canBecomeFirstResponder: Bool { stub() }
    open func becomeFirstResponder() -> Bool { stub() }
    open func resignFirstResponder() -> Bool { stub() }
    open func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) { stub() }
    open func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) { stub() }
    open func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) { stub() }
    open func select(_ sender: Any?) { stub() }
    open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { stub() }
    open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { stub() }
    open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { stub() }
    open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) { stub() }
    public var isFirstResponder: Bool { stub() }
}

@MainActor open class UIView: UIResponder {
    public override init() { stub() }
    public init(frame: CGRect) { stub() }
    public required init?(coder: NSCoder) { stub() }
    open func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) { stub() }
    open func addSubview(_ view: UIView) { stub() }
    open func didMoveToWindow() { stub() }
    open func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? { stub() }
    open func layoutSubviews() { stub() }
    open func sizeToFit() { stub() }
    public var frame: CGRect {
        get { stub() }
        set { stub() }
    }
    public var isHidden: Bool {
        get { stub() }
        set { stub() }
    }
    public var backgroundColor: UIColor? {
        get { stub() }
        set { stub() }
    }
    public var window: UIWindow? { stub() }
    public var bounds: CGRect {
        get { stub() }
        set { stub() }
    }
    public var layer: CALayer { stub() }
    public var contentScaleFactor: CGFloat {
        get { stub() }
        set { stub() }
    }
    public var accessibilityLabel: String? {
        get { stub() }
        set { stub() }
    }
    public var isMultipleTouchEnabled: Bool {
        get { stub() }
        set { stub() }
    }
}

@MainActor open class UITouch: NSObject {
    public enum TouchType: Int, Sendable {
        case direct = 0
        case indirect = 1
        case pencil = 2
        case indirectPointer = 3
    }
    public var type: TouchType { stub() }
    public func location(in view: UIView?) -> CGPoint { stub() }
    public func preciseLocation(in view: UIView?) -> CGPoint { stub() }
    public var force: CGFloat { stub() }
    public var maximumPossibleForce: CGFloat { stub() }
}

@MainActor open class UIEvent: NSObject {
    public struct ButtonMask: OptionSet, Sendable {
        public var rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
    }
    public var buttonMask: ButtonMask { stub() }
    public func coalescedTouches(for touch: UITouch) -> [UITouch]? { stub() }
}
