// Of macOS alone.
public import AppleBase

public typealias CGKeyCode = UInt16

public enum CGEventType: UInt32, Sendable {
    case null = 0
    case leftMouseDown = 1
    case leftMouseUp = 2
    case rightMouseDown = 3
    case rightMouseUp = 4
    case mouseMoved = 5
    case leftMouseDragged = 6
    case rightMouseDragged = 7
    case keyDown = 10
    case keyUp = 11
    case flagsChanged = 12
    case scrollWheel = 22
    case otherMouseDown = 25
    case otherMouseUp = 26
    case otherMouseDragged = 27
    case tapDisabledByTimeout = 0xFFFF_FFFE
    case tapDisabledByUserInput = 0xFFFF_FFFF
}

public enum CGMouseButton: UInt32, Sendable {
    case left = 0
    case right = 1
    case center = 2
}

public enum CGScrollEventUnit: UInt32, Sendable {
    case pixel = 0
    case line = 1
}

public enum CGEventTapLocation: UInt32, Sendable {
    case cghidEventTap = 0
    case cgSessionEventTap = 1
    case cgAnnotatedSessionEventTap = 2
}

public enum CGEventTapOptions: UInt32, Sendable {
    case defaultTap = 0
    case listenOnly = 1
}

public enum CGEventTapPlacement: UInt32, Sendable {
    case headInsertEventTap = 0
    case tailAppendEventTap = 1
}

public typealias CGEventMask = UInt64
public typealias CGEventTapProxy = OpaquePointer

/// A C function pointer in Apple's SDK, which can't be declared here for a Swift class. The closure must not capture
/// anything.
public typealias CGEventTapCallBack =
    (CGEventTapProxy, CGEventType, CGEvent, UnsafeMutableRawPointer?) -> Unmanaged<CGEvent>?

public enum CGEventSourceStateID: Int32, Sendable {
    case privateState = -1
    case combinedSessionState = 0
    case hidSystemState = 1
}

public enum CGEventField: UInt32, Sendable {
    case mouseEventClickState = 1
    case mouseEventButtonNumber = 3
    case mouseEventDeltaX = 4
    case mouseEventDeltaY = 5
    case keyboardEventAutorepeat = 8
}

public struct CGEventFlags: OptionSet, Sendable {
    public var rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

public class CGEventSource {
    public init?(stateID: CGEventSourceStateID) { stub() }
    public var localEventsSuppressionInterval: CFTimeInterval {
        get { stub() }
        set { stub() }
    }
}

public class CGEvent {
    public class func tapCreate(
        tap: CGEventTapLocation, place: CGEventTapPlacement, options: CGEventTapOptions, eventsOfInterest: CGEventMask,
        callback: @escaping CGEventTapCallBack, userInfo: UnsafeMutableRawPointer?
    ) -> CFMachPort? { stub() }
    public class func tapEnable(tap: CFMachPort, enable: Bool) { stub() }
    public init?(source: CGEventSource?) { stub() }
    public init?(
        mouseEventSource source: CGEventSource?, mouseType: CGEventType, mouseCursorPosition: CGPoint,
        mouseButton: CGMouseButton
    ) { stub() }
    public init?(keyboardEventSource source: CGEventSource?, virtualKey: CGKeyCode, keyDown: Bool) { stub() }
    public init?(
        scrollWheelEvent2Source source: CGEventSource?, units: CGScrollEventUnit, wheelCount: UInt32, wheel1: Int32,
        wheel2: Int32, wheel3: Int32
    ) { stub() }
    public var flags: CGEventFlags {
        get { stub() }
        set { stub() }
    }
    public var location: CGPoint {
        get { stub() }
        set { stub() }
    }
    public var type: CGEventType {
        get { stub() }
        set { stub() }
    }
    public func keyboardSetUnicodeString(stringLength: Int, unicodeString: UnsafePointer<UniChar>?) { stub() }
    public func post(tap: CGEventTapLocation) { stub() }
    public func setDoubleValueField(_ field: CGEventField, value: Double) { stub() }
    public func setIntegerValueField(_ field: CGEventField, value: Int64) { stub() }
}

public typealias CFTimeInterval = Double
public typealias UniChar = UInt16
