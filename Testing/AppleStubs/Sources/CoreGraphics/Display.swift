// Of macOS alone.
@_exported public import AppleBase

public typealias CGDirectDisplayID = UInt32

public enum CGError: Int32, Sendable {
    case success = 0
    case failure = 1000
}

public struct CGDisplayChangeSummaryFlags: OptionSet, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static var beginConfigurationFlag: CGDisplayChangeSummaryFlags { .init(rawValue: 1) }
}

/// Apple's SDK declares a C function pointer, which can't be declared here for a Swift struct. So the closure must not
/// capture anything.
public typealias CGDisplayReconfigurationCallBack =
    (CGDirectDisplayID, CGDisplayChangeSummaryFlags, UnsafeMutableRawPointer?) -> Void

public class CGDisplayMode {
    public var pixelWidth: Int { stub() }
    public var pixelHeight: Int { stub() }
}

// swift-format-ignore: TypeNamesShouldBeCapitalized
public typealias boolean_t = Int32

public func CGAssociateMouseAndMouseCursorPosition(_ connected: boolean_t) -> CGError { stub() }
public func CGDisplayBounds(_ display: CGDirectDisplayID) -> CGRect { stub() }
public func CGDisplayCopyDisplayMode(_ display: CGDirectDisplayID) -> CGDisplayMode? { stub() }
public func CGDisplayRegisterReconfigurationCallback(
    _ callback: CGDisplayReconfigurationCallBack?, _ userInfo: UnsafeMutableRawPointer?
) -> CGError { stub() }
public func CGDisplayRemoveReconfigurationCallback(
    _ callback: CGDisplayReconfigurationCallBack?, _ userInfo: UnsafeMutableRawPointer?
) -> CGError { stub() }
public func CGGetActiveDisplayList(
    _ maxDisplays: UInt32, _ activeDisplays: UnsafeMutablePointer<CGDirectDisplayID>?,
    _ displayCount: UnsafeMutablePointer<UInt32>?
) -> CGError { stub() }
public func CGMainDisplayID() -> CGDirectDisplayID { stub() }
public func CGWarpMouseCursorPosition(_ newCursorPosition: CGPoint) -> CGError { stub() }

public func CGPreflightScreenCaptureAccess() -> Bool { stub() }
public func CGRequestScreenCaptureAccess() -> Bool { stub() }

extension CGRect {
    public init?(dictionaryRepresentation dict: CFDictionary) { stub() }
}
