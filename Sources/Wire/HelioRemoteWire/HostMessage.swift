package import HelioCore

/// A message from the host to a browser's viewer, on the data channels.
package enum HostMessage: RemoteMessage {
    /// The screen's size in pixels, and pixels a point (0.1 ... 16).
    case screenInfo(PixelSize, scale: Double)
    /// The types of messages that the host takes beyond what every host does, at most ``mostTypes``.
    case takes([String])
    /// The number of the first input that the host has not done, and the clock that the message with inputs said.
    case inputsDone(next: UInt64, sentAt: UInt64)
    /// The most moves a second that the host takes, 1 ... 1000; unlimited if it says nothing.
    case inputRate(Int)
    /// The pointer's position, in pixels of the screen; negative or beyond it if the pointer is elsewhere.
    case cursorPos(x: Int, y: Int)
    /// The pointer's shape. No side is longer than ``largestCursorSide``: larger ones are scaled before they get here.
    /// With a number where the viewer keeps shapes: ``cursorAgain(number:)`` says the number alone.
    case cursorShape(CursorShape, number: UInt32? = nil)
    /// A shape that was sent before, by its number; to viewers that said ``ViewerMessage/keepsCursors``.
    case cursorAgain(number: UInt32)
    case control(ControlState)
    /// A request for control, told to the viewer who drives.
    case controlRequested(ViewerNumber, name: String)
    /// The viewers, at most ``mostViewers``; those past that are left out.
    case viewers([ViewerEntry])
    /// The monitors, at most ``mostMonitors``; `selected` is one of their `id`s, or `nil` for none.
    case monitors([MonitorEntry], selected: String?)
    /// The sound that the host has to be heard: each is a track of its own.
    case audioSources(Set<SoundOrigin>)
    /// The answer to the viewer's `audioOffer`: 1 ... ``SignalingMessage/longestDescription`` bytes of SDP.
    case audioAnswer(sdp: String)
    /// The ticket that the viewer may come back with: 10 ... 64 bytes.
    case ticket([UInt8])
    /// The new pairing: 16 bytes of device, and 10 ... 64 of secret.
    case paired(device: [UInt8], secret: [UInt8])
    case pong(id: UInt64)
    case error(RemoteErrorReport)
    case bye(reason: String)

    package static let maximumSize = 65_536
    package static let largestCursorSide = 96
    package static let longestMonitorID = 64
    /// The most bytes of a viewer's name and of a monitor's: what is longer is cut.
    package static let longestName = 64
    package static let mostViewers = 128
    package static let mostMonitors = 64
    package static let mostTypes = 32
    package static let inputRates = 1...1000

    /// The channel that carries it. An acknowledgement goes by that of the inputs.
    package var channel: RemoteChannel {
        switch self {
        case .cursorPos, .inputsDone: .moves
        default: .control
        }
    }
}
