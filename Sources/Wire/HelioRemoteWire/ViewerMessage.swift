package import HelioControlWire
package import HelioCore

/// What a browser's viewer sends by its data channels.
///
/// Places have been moved to the nearest edge of the picture where they lay outside.
package enum ViewerMessage: RemoteMessage {
    case mouseMove(PointerStep)
    /// `order` (`n` on the wire) counts up, to 2^53 - 1.
    case mouseTo(NormalizedPoint, order: UInt64)
    /// The pointer goes there first, where there is a place.
    case mouseDown(PointerButton, at: PressPlace?)
    case mouseUp(PointerButton, at: PressPlace?)
    /// `count` is 1 or 2.
    case click(PointerButton, count: Int, at: PressPlace?)
    /// 120 a notch, within ±32767; positive is up and right.
    case scroll(dx: Double, dy: Double)
    case keyDown(KeyStroke)
    case keyUp(KeyStroke)
    case keyPress(KeyStroke)
    /// 1 ... 4096 bytes of UTF-8.
    case text(String)
    case releaseAll
    /// Whoever sends it is there still, and holds what it holds.
    case alive
    case requestControl
    /// `nil`: to whoever acts next.
    case handOver(to: ViewerNumber?)
    /// An `id` of ``HostMessage/monitors(_:selected:)``.
    case selectMonitor(id: String)
    /// 0 ... 2^53 - 1.
    case ping(id: UInt64)
    /// Reserved, as is the volume.
    case audioEnabled(Bool)
    /// 0 ... 1.
    case audioVolume(Double)

    package static let maximumSize = 16_384
    package static let longestText = 4096
    /// Pixels of one step of the pointer, in each direction.
    package static let farthestStep = 65_535.0
    package static let farthestScroll = 32_767.0

    /// The channel that it goes by.
    package var channel: RemoteChannel {
        switch self {
        case .mouseMove, .mouseTo: .moves
        default: .control
        }
    }
}
