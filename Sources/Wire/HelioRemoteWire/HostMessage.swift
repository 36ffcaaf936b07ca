public import HelioCore

/// A message from the host to a browser's viewer, on the data channels.
public enum HostMessage: RemoteMessage {
    /// The screen's size in pixels, and its pixels per point (0.1 ... 16).
    case screenInfo(PixelSize, scale: Double)
    /// The types of messages that the host accepts in addition to those that every host accepts, at most ``mostTypes``.
    case takes([String])
    /// An acknowledgement: the number of the first input that the host has not executed yet, and the `sentAt` of the
    /// latest inputs message.
    case inputsDone(next: UInt64, sentAt: UInt64)
    /// The maximum number of pointer moves per second that the host accepts, 1 ... 1000; unlimited without this
    /// message.
    case inputRate(Int)
    /// The pointer's position in pixels of the screen; the numbers are negative or exceed the screen's size if the
    /// pointer is outside the screen.
    case cursorPos(x: Int, y: Int)
    /// The pointer's shape. No side is longer than ``largestCursorSide``; the host scales larger ones beforehand. For a
    /// viewer that stores shapes, the shape has a number, to which ``cursorAgain(number:)`` refers.
    case cursorShape(CursorShape, number: UInt32? = nil)
    /// The pointer's shape, by the number of a shape that was sent before; for viewers that sent
    /// ``ViewerMessage/keepsCursors``.
    case cursorAgain(number: UInt32)
    /// The control state, from this viewer's point of view.
    case control(ControlState)
    /// A viewer's request for control, sent to the viewer that is in control.
    case controlRequested(ViewerNumber, name: String)
    /// The viewers, at most ``mostViewers``; further ones are left out.
    case viewers([ViewerEntry])
    /// The monitors, at most ``mostMonitors``; `selected` is the `id` of one, or `nil`.
    case monitors([MonitorEntry], selected: String?)
    /// The origins of sound that the host offers, each as a separate track.
    case audioSources(Set<SoundOrigin>)
    /// The answer to the viewer's `audioOffer`: 1 ... ``SignalingMessage/longestDescription`` bytes of SDP.
    case audioAnswer(sdp: String)
    /// An instant on the clocks of both media, for a viewer that requested picture and sound in step: the RTP timestamp
    /// of the machine's sound, and the one of a picture that was captured at the same time.
    case soundTime(at: UInt32, picture: UInt32)
    /// The ticket with which the viewer may reconnect: 10 ... 64 bytes.
    case ticket([UInt8])
    /// The new pairing: 16 bytes for the device, and 10 ... 64 for the secret.
    case paired(device: [UInt8], secret: [UInt8])
    /// The answer to a ping, with its `id`.
    case pong(id: UInt64)
    /// The report of a message of this viewer that was rejected.
    case error(RemoteErrorReport)
    /// The end of the session, with a reason of at most ``SignalingMessage/longestReason`` bytes.
    case bye(reason: String)

    /// The maximum size of a message, in bytes of JSON.
    public static let maximumSize = 65_536
    /// The maximum width and height of a pointer shape, in pixels.
    public static let largestCursorSide = 96
    /// The maximum size of a monitor's identifier, in bytes of UTF-8.
    public static let longestMonitorID = 64
    /// The maximum size of a viewer's or monitor's name, in bytes of UTF-8; longer names are truncated.
    public static let longestName = 64
    /// The maximum number of viewers in a list.
    public static let mostViewers = 128
    /// The maximum number of monitors in a list.
    public static let mostMonitors = 64
    /// The maximum number of types in ``takes(_:)``.
    public static let mostTypes = 32
    /// The valid rates of ``inputRate(_:)``, in moves per second.
    public static let inputRates = 1...1000

    /// The channel of the message. An acknowledgement uses the same channel as inputs.
    public var channel: RemoteChannel {
        switch self {
        case .cursorPos, .inputsDone: .moves
        default: .control
        }
    }
}
