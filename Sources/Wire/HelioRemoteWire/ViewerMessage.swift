package import HelioControlWire
package import HelioCore

/// A message from a browser's viewer to the host, on its data channels.
///
/// Places have been moved to the nearest edge of the picture if they lay outside.
package enum ViewerMessage: RemoteMessage {
    case mouseMove(PointerStep)
    /// The pointer's place. `order` (`n` on the wire) counts up, to 2^53 - 1.
    case mouseTo(NormalizedPoint, order: UInt64)
    /// A button goes down. The pointer moves to the place first, if there is one.
    case mouseDown(PointerButton, at: PressPlace?)
    case mouseUp(PointerButton, at: PressPlace?)
    /// A click; `count` is 1 or 2.
    case click(PointerButton, count: Int, at: PressPlace?)
    /// A scroll: 120 a notch, within ±32767; positive is up and right.
    case scroll(dx: Double, dy: Double)
    case keyDown(KeyStroke)
    case keyUp(KeyStroke)
    case keyPress(KeyStroke)
    /// Text, 1 ... 4096 bytes of UTF-8.
    case text(String)
    case releaseAll
    /// The viewer is there still, and holds what it holds.
    case alive
    case requestControl
    /// The viewer hands over control; `nil`: to whoever acts next.
    case handOver(to: ViewerNumber?)
    /// The viewer selects a monitor: an `id` of ``HostMessage/monitors(_:selected:)``.
    case selectMonitor(id: String)
    /// A ping; `id` is 0 ... 2^53 - 1.
    case ping(id: UInt64)
    /// Reserved, as is the volume.
    case audioEnabled(Bool)
    /// The volume, 0 ... 1.
    case audioVolume(Double)

    package static let maximumSize = 16_384
    package static let longestText = 4096
    /// The most pixels of one step of the pointer, in each direction.
    package static let farthestStep = 65_535.0
    package static let farthestScroll = 32_767.0

    /// The channel that carries it.
    package var channel: RemoteChannel {
        switch self {
        case .mouseMove, .mouseTo: .moves
        default: .control
        }
    }
}
