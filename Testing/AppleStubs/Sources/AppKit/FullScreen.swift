public import AppleBase

extension NSWindow.StyleMask {
    public static var fullScreen: NSWindow.StyleMask { NSWindow.StyleMask(rawValue: 1 << 14) }
}

extension NSWindow {
    public static var didEnterFullScreenNotification: Notification.Name { stub() }
    public static var didExitFullScreenNotification: Notification.Name { stub() }
    public var styleMask: StyleMask {
        get { stub() }
        set { stub() }
    }
}

extension NSApplication {
    public var keyWindow: NSWindow? { stub() }
}

extension NSView {
    public func setAccessibilityLabel(_ accessibilityLabel: String?) { stub() }
}
