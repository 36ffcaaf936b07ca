@_exported public import AppleBase
public import QuartzCore

@MainActor open class NSResponder: NSObject {
    open var acceptsFirstResponder: Bool { stub() }
    open func becomeFirstResponder() -> Bool { stub() }
    open func resignFirstResponder() -> Bool { stub() }
    open func flagsChanged(with event: NSEvent) { stub() }
    open func keyDown(with event: NSEvent) { stub() }
    open func keyUp(with event: NSEvent) { stub() }
    open func mouseDown(with event: NSEvent) { stub() }
    open func mouseDragged(with event: NSEvent) { stub() }
    open func mouseEntered(with event: NSEvent) { stub() }
    open func mouseExited(with event: NSEvent) { stub() }
    open func mouseMoved(with event: NSEvent) { stub() }
    open func mouseUp(with event: NSEvent) { stub() }
    open func otherMouseDown(with event: NSEvent) { stub() }
    open func otherMouseDragged(with event: NSEvent) { stub() }
    open func otherMouseUp(with event: NSEvent) { stub() }
    open func rightMouseDown(with event: NSEvent) { stub() }
    open func rightMouseDragged(with event: NSEvent) { stub() }
    open func rightMouseUp(with event: NSEvent) { stub() }
    open func scrollWheel(with event: NSEvent) { stub() }
}

open class NSTrackingArea: NSObject {
    public struct Options: OptionSet, Sendable {
        public var rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var mouseEnteredAndExited: Options { Options(rawValue: 0x01) }
        public static var mouseMoved: Options { Options(rawValue: 0x02) }
        public static var activeInKeyWindow: Options { Options(rawValue: 0x20) }
        public static var inVisibleRect: Options { Options(rawValue: 0x200) }
    }
    public init(rect: NSRect, options: Options = [], owner: Any?, userInfo: [AnyHashable: Any]? = nil) { stub() }
}

@MainActor open class NSView: NSResponder {
    public init(frame frameRect: NSRect) { stub() }
    public required init?(coder: NSCoder) { stub() }
    public var window: NSWindow? { stub() }
    open func addTrackingArea(_ trackingArea: NSTrackingArea) { stub() }
    open func addCursorRect(_ rect: NSRect, cursor object: NSCursor) { stub() }
    open func hitTest(_ point: NSPoint) -> NSView? { stub() }
    open func layout() { stub() }
    open func makeBackingLayer() -> CALayer { stub() }
    open func resetCursorRects() { stub() }
    open func performKeyEquivalent(with event: NSEvent) -> Bool { stub() }
    open func viewDidChangeBackingProperties() { stub() }
    open func viewDidMoveToWindow() { stub() }
    open var isFlipped: Bool { stub() }
    public var bounds: NSRect {
        get { stub() }
        set { stub() }
    }
    public var frame: NSRect {
        get { stub() }
        set { stub() }
    }
    public var wantsLayer: Bool {
        get { stub() }
        set { stub() }
    }
    public var layer: CALayer? {
        get { stub() }
        set { stub() }
    }
    public var isHidden: Bool {
        get { stub() }
        set { stub() }
    }
    public func convert(_ point: NSPoint, from view: NSView?) -> NSPoint { stub() }
    public func convert(_ rect: NSRect, to view: NSView?) -> NSRect { stub() }
    public func addSubview(_ view: NSView) { stub() }
}

@MainActor open class NSTextField: NSView {
    public convenience init(labelWithString stringValue: String) { stub() }
    public var stringValue: String {
        get { stub() }
        set { stub() }
    }
    public var textColor: NSColor? {
        get { stub() }
        set { stub() }
    }
    public var backgroundColor: NSColor? {
        get { stub() }
        set { stub() }
    }
    public var drawsBackground: Bool {
        get { stub() }
        set { stub() }
    }
    public func sizeToFit() { stub() }
}

open class NSColor: NSObject {
    public class var white: NSColor { stub() }
    public class var black: NSColor { stub() }
}

public struct NSDeviceDescriptionKey: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}

@MainActor open class NSScreen: NSObject {
    public class var main: NSScreen? { stub() }
    public class var screens: [NSScreen] { stub() }
    public var deviceDescription: [NSDeviceDescriptionKey: Any] { stub() }
    public var frame: NSRect { stub() }
    public var localizedName: String { stub() }
    public var visibleFrame: NSRect { stub() }
    public var maximumFramesPerSecond: Int { stub() }
}

@MainActor public protocol NSWindowDelegate: AnyObject {
    func windowShouldClose(_ sender: NSWindow) -> Bool
    func windowDidResize(_ notification: Notification)
    func windowDidChangeScreen(_ notification: Notification)
    func windowDidBecomeKey(_ notification: Notification)
    func windowDidResignKey(_ notification: Notification)
    func windowDidEnterFullScreen(_ notification: Notification)
    func windowDidExitFullScreen(_ notification: Notification)
}

@MainActor open class NSWindow: NSResponder {
    public struct StyleMask: OptionSet, Sendable {
        public var rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var titled: StyleMask { StyleMask(rawValue: 1 << 0) }
        public static var closable: StyleMask { StyleMask(rawValue: 1 << 1) }
        public static var miniaturizable: StyleMask { StyleMask(rawValue: 1 << 2) }
        public static var resizable: StyleMask { StyleMask(rawValue: 1 << 3) }
    }
    public enum BackingStoreType: UInt, Sendable {
        case buffered = 2
    }

    public init(
        contentRect: NSRect, styleMask style: StyleMask, backing backingStoreType: BackingStoreType, `defer` flag: Bool
    ) { stub() }
    public weak var delegate: (any NSWindowDelegate)?
    public var title: String {
        get { stub() }
        set { stub() }
    }
    public var contentView: NSView? {
        get { stub() }
        set { stub() }
    }
    public var backingScaleFactor: CGFloat { stub() }
    public var screen: NSScreen? { stub() }
    public var firstResponder: NSResponder? { stub() }
    public var isReleasedWhenClosed: Bool {
        get { stub() }
        set { stub() }
    }
    public var acceptsMouseMovedEvents: Bool {
        get { stub() }
        set { stub() }
    }
    public func invalidateCursorRects(for view: NSView) { stub() }
    public func makeKeyAndOrderFront(_ sender: Any?) { stub() }
    public func toggleFullScreen(_ sender: Any?) { stub() }
    public func makeFirstResponder(_ responder: NSResponder?) -> Bool { stub() }
    public func setContentSize(_ size: CGSize) { stub() }
    public func center() { stub() }
    public func convertToScreen(_ rect: NSRect) -> NSRect { stub() }
    public func close() { stub() }
}

@MainActor open class NSApplication: NSResponder {
    public enum ActivationPolicy: Int, Sendable {
        case regular = 0
        case accessory = 1
    }
    public class var shared: NSApplication { stub() }
    public func setActivationPolicy(_ activationPolicy: ActivationPolicy) -> Bool { stub() }
    public func activate() { stub() }
    public func terminate(_ sender: Any?) { stub() }
    public func finishLaunching() { stub() }
    public func nextEvent(
        matching mask: NSEvent.EventTypeMask, until expiration: Date?, inMode mode: RunLoop.Mode,
        dequeue deqFlag: Bool
    ) -> NSEvent? { stub() }
    public func sendEvent(_ event: NSEvent) { stub() }
    public func postEvent(_ event: NSEvent, atStart flag: Bool) { stub() }
}
