// Of macOS alone.
public import AppleBase

public typealias CGWindowID = UInt32

public struct CGWindowListOption: OptionSet, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static var optionOnScreenOnly: CGWindowListOption { CGWindowListOption(rawValue: 1) }
    public static var excludeDesktopElements: CGWindowListOption { CGWindowListOption(rawValue: 16) }
}

public var kCGNullWindowID: CGWindowID { 0 }
public var kCGWindowBounds: CFString { stub() }
public var kCGWindowLayer: CFString { stub() }
public var kCGWindowName: CFString { stub() }
public var kCGWindowNumber: CFString { stub() }
public var kCGWindowOwnerName: CFString { stub() }
public var kCGWindowOwnerPID: CFString { stub() }

public func CGWindowListCopyWindowInfo(_ option: CGWindowListOption, _ relativeToWindow: CGWindowID) -> CFArray? {
    stub()
}
