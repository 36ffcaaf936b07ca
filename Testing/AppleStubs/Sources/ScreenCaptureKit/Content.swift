@_exported public import AppleBase
@_exported public import CoreGraphics

public class SCDisplay: NSObject {
    public var displayID: CGDirectDisplayID { stub() }
    public var width: Int { stub() }
    public var height: Int { stub() }
    public var frame: CGRect { stub() }
}

public class SCWindow: NSObject {
    public var windowID: CGWindowID { stub() }
}
public class SCRunningApplication: NSObject {}

public class SCShareableContent: NSObject {
    public class func getExcludingDesktopWindows(
        _ excludeDesktopWindows: Bool, onScreenWindowsOnly: Bool,
        completionHandler: @escaping @Sendable (SCShareableContent?, (any Error)?) -> Void
    ) { stub() }
    public var displays: [SCDisplay] { stub() }
    public var windows: [SCWindow] { stub() }
}

public class SCContentFilter: NSObject {
    public init(desktopIndependentWindow window: SCWindow) { stub() }
    public init(display: SCDisplay, excludingWindows excluded: [SCWindow]) { stub() }
}
