package import HelioCore

/// What the host sends to a browser's viewer by the data channels.
package enum HostMessage: RemoteMessage {
    /// The screen's size in pixels, and pixels a point (0.1 ... 16).
    case screenInfo(PixelSize, scale: Double)
    /// The most moves a second that the host takes, 1 ... 1000; as many as come where it says nothing.
    case inputRate(Int)
    /// In pixels of the screen; negative or beyond it where the pointer is elsewhere.
    case cursorPos(x: Int, y: Int)
    /// No side is longer than ``largestCursorSide``: larger ones are scaled before they get here.
    case cursorShape(CursorShape)
    case control(ControlState)
    /// To who drives: somebody wants to.
    case controlRequested(ViewerNumber, name: String)
    /// At most ``mostViewers``; who is past that is left out.
    case viewers([ViewerEntry])
    /// At most ``mostMonitors``; `selected` is one of their `id`s, or `nil` for none.
    case monitors([MonitorEntry], selected: String?)
    /// What the viewer may come back with: 10 ... 64 bytes.
    case ticket([UInt8])
    /// 16 bytes, and 10 ... 64 of a secret.
    case paired(device: [UInt8], secret: [UInt8])
    case pong(id: UInt64)
    case error(RemoteErrorReport)
    case bye(reason: String)

    package static let maximumSize = 65_536
    package static let largestCursorSide = 96
    package static let longestMonitorID = 64
    /// Bytes of a viewer's name and of a monitor's: what is longer is cut.
    package static let longestName = 64
    package static let mostViewers = 128
    package static let mostMonitors = 64
    package static let inputRates = 1...1000

    /// The channel that it goes by.
    package var channel: RemoteChannel {
        if case .cursorPos = self { .moves } else { .control }
    }
}
