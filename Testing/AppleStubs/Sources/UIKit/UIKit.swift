@_exported public import AppleBase
public import QuartzCore

@MainActor open class UIResponder: NSObject {
    open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { stub() }
    open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { stub() }
    open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { stub() }
    open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) { stub() }
    open var canBecomeFirstResponder: Bool { stub() }
    public var isFirstResponder: Bool { stub() }
    open func becomeFirstResponder() -> Bool { stub() }
    open func resignFirstResponder() -> Bool { stub() }
}

@MainActor open class UIView: UIResponder {
    public override init() { stub() }
    public init(frame: CGRect) { stub() }
    public required init?(coder: NSCoder) { stub() }
    open func layoutSubviews() { stub() }
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
    public func location(in view: UIView?) -> CGPoint { stub() }
    public func preciseLocation(in view: UIView?) -> CGPoint { stub() }
    public var force: CGFloat { stub() }
    public var maximumPossibleForce: CGFloat { stub() }
}

@MainActor open class UIEvent: NSObject {
    public func coalescedTouches(for touch: UITouch) -> [UITouch]? { stub() }
}
