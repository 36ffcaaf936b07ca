public import AppleBase
public import CoreGraphics

public class NSEvent: NSObject {
    public class var doubleClickInterval: TimeInterval { stub() }
    public class var keyRepeatDelay: TimeInterval { stub() }
    public class var keyRepeatInterval: TimeInterval { stub() }
    public struct EventTypeMask: OptionSet, Sendable {
        public var rawValue: UInt64
        public init(rawValue: UInt64) { self.rawValue = rawValue }
        public static var any: EventTypeMask { EventTypeMask(rawValue: .max) }
    }
    public enum EventType: UInt, Sendable {
        case leftMouseDown = 1
        case leftMouseUp = 2
        case rightMouseDown = 3
        case rightMouseUp = 4
        case mouseMoved = 5
        case leftMouseDragged = 6
        case rightMouseDragged = 7
        case mouseExited = 9
        case keyDown = 10
        case keyUp = 11
        case flagsChanged = 12
        case applicationDefined = 15
        case scrollWheel = 22
        case otherMouseDown = 25
        case otherMouseUp = 26
        case otherMouseDragged = 27
    }
    public struct ModifierFlags: OptionSet, Sendable {
        public var rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    public enum EventSubtype: Int16, Sendable {
        case mouseEvent = 0
        case tabletPoint = 1
        case tabletProximity = 2
        case touch = 3
    }

    public init?(cgEvent: CGEvent) { stub() }
    public var subtype: EventSubtype { stub() }
    public var type: EventType { stub() }
    public var window: NSWindow? { stub() }
    public var locationInWindow: NSPoint { stub() }
    public var pressure: Float { stub() }
    public var buttonNumber: Int { stub() }
    public var deltaX: CGFloat { stub() }
    public var deltaY: CGFloat { stub() }
    public var scrollingDeltaX: CGFloat { stub() }
    public var scrollingDeltaY: CGFloat { stub() }
    public var hasPreciseScrollingDeltas: Bool { stub() }
    public var keyCode: UInt16 { stub() }
    public var isARepeat: Bool { stub() }
    public var characters: String? { stub() }
    public var modifierFlags: ModifierFlags { stub() }
    public class func otherEvent(
        with type: EventType, location: NSPoint, modifierFlags flags: ModifierFlags, timestamp time: TimeInterval,
        windowNumber wNum: Int, context unusedPassNil: NSGraphicsContext?, subtype: Int16, data1 d1: Int, data2 d2: Int
    ) -> NSEvent? { stub() }
}
