package import HelioCore

/// A message from the host to a browser's viewer, on the data channels.
package enum HostMessage: RemoteMessage {
    /// The screen's size in pixels, and its pixels per point (0.1 ... 16).
    case screenInfo(PixelSize, scale: Double)
    /// The types of messages that the host accepts beyond those that every host accepts, at most ``mostTypes``.
    case takes([String])
    /// An acknowledgement: the number of the first input that the host has not executed, and the `sentAt` of the latest
    /// inputs message.
    case inputsDone(next: UInt64, sentAt: UInt64)
    /// The most moves per second that the host accepts, 1 ... 1000; unlimited without this message.
    case inputRate(Int)
    /// The pointer's position in pixels of the screen; negative or beyond the screen if the pointer is elsewhere.
    case cursorPos(x: Int, y: Int)
    /// The pointer's shape. No side is longer than ``largestCursorSide``; the host scales larger ones beforehand. A
    /// viewer that stores shapes also gets a number, which ``cursorAgain(number:)`` refers to.
    case cursorShape(CursorShape, number: UInt32? = nil)
    /// A shape that was sent before, by its number; for viewers that sent ``ViewerMessage/keepsCursors``.
    case cursorAgain(number: UInt32)
    case control(ControlState)
    /// A viewer's request for control, sent to the viewer that is in control.
    case controlRequested(ViewerNumber, name: String)
    /// The viewers, at most ``mostViewers``; further ones are left out.
    case viewers([ViewerEntry])
    /// The monitors, at most ``mostMonitors``; `selected` is the `id` of one, or `nil`.
    case monitors([MonitorEntry], selected: String?)
    /// The sounds that the host offers, each as a track of its own.
    case audioSources(Set<SoundOrigin>)
    /// The answer to the viewer's `audioOffer`: 1 ... ``SignalingMessage/longestDescription`` bytes of SDP.
    case audioAnswer(sdp: String)
    /// The ticket with which the viewer may reconnect: 10 ... 64 bytes.
    case ticket([UInt8])
    /// The new pairing: 16 bytes for the device, and 10 ... 64 for the secret.
    case paired(device: [UInt8], secret: [UInt8])
    case pong(id: UInt64)
    case error(RemoteErrorReport)
    case bye(reason: String)

    package static let maximumSize = 65_536
    package static let largestCursorSide = 96
    package static let longestMonitorID = 64
    /// The most bytes of a viewer's or monitor's name; longer ones are truncated.
    package static let longestName = 64
    package static let mostViewers = 128
    package static let mostMonitors = 64
    package static let mostTypes = 32
    package static let inputRates = 1...1000

    /// The channel of the message. An acknowledgement uses the same channel as inputs.
    package var channel: RemoteChannel {
        switch self {
        case .cursorPos, .inputsDone: .moves
        default: .control
        }
    }
}
