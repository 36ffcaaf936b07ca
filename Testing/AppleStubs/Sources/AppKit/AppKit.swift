@_exported public import AppleBase
public import QuartzCore

@MainActor open class NSResponder: NSObject {}

@MainActor open class NSView: NSResponder {
    public init(frame frameRect: NSRect) { stub() }
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

@MainActor open class NSScreen: NSObject {
    public class var main: NSScreen? { stub() }
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
    public var isReleasedWhenClosed: Bool {
        get { stub() }
        set { stub() }
    }
    public var acceptsMouseMovedEvents: Bool {
        get { stub() }
        set { stub() }
    }
    public func makeKeyAndOrderFront(_ sender: Any?) { stub() }
    public func toggleFullScreen(_ sender: Any?) { stub() }
    public func setContentSize(_ size: CGSize) { stub() }
    public func center() { stub() }
    public func close() { stub() }
}

@MainActor open class NSApplication: NSResponder {
    public enum ActivationPolicy: Int, Sendable {
        case regular = 0
    }
    public class var shared: NSApplication { stub() }
    public func setActivationPolicy(_ activationPolicy: ActivationPolicy) -> Bool { stub() }
    public func activate() { stub() }
    public func finishLaunching() { stub() }
    public func nextEvent(
        matching mask: NSEvent.EventTypeMask, until expiration: Date?, inMode mode: RunLoop.Mode,
        dequeue deqFlag: Bool
    ) -> NSEvent? { stub() }
    public func sendEvent(_ event: NSEvent) { stub() }
    public func postEvent(_ event: NSEvent, atStart flag: Bool) { stub() }
}
