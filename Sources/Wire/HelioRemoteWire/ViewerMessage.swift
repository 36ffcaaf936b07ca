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
    /// The locks of the viewer's keyboard.
    case locks(LockState)
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
    /// Whether the viewer wants to hear the host's sound (row 131).
    case audioEnabled(Bool)
    /// The volume that the viewer hears it at, 0 ... 1 (row 131).
    case audioVolume(Double)
    /// A new offer for the same connection, with sections to receive the host's sound by (row 130): 1 ...
    /// ``longestOffer`` bytes of SDP. With `inStep` the picture is to wait for the sound that belongs to it.
    case audioOffer(sdp: String, inStep: Bool)
    /// Inputs that are sent again until the host has acknowledged them.
    case inputs(NumberedInputs)
    /// Whether the viewer wants to be sent the picture: false while nobody can see its page.
    case videoEnabled(Bool)
    /// What the viewer wants of the picture from now on.
    case quality(PictureWish)
    /// The viewer keeps the pointer's shapes from now on, by their numbers; see ``HostMessage/cursorAgain(number:)``.
    case keepsCursors

    package static let maximumSize = 16_384
    /// The most JSON values in one message: the largest batch of keys, each with all modifiers, needs fewer.
    static let mostValues = 512
    package static let longestText = 4096
    /// The most bytes of a new offer: with all that is escaped in it, it is one message.
    package static let longestOffer = 15_360
    /// The most pixels of one step of the pointer, in each direction.
    package static let farthestStep = 65_535.0
    package static let farthestScroll = 32_767.0

    /// The channel that carries it. By `control`, everything may come.
    package var channel: RemoteChannel {
        switch self {
        case .mouseMove, .mouseTo, .inputs: .moves
        default: .control
        }
    }

    /// True for what a person does with mouse, keys or fingers: these may be numbered.
    package var isInput: Bool {
        switch self {
        case .mouseMove, .mouseTo, .mouseDown, .mouseUp, .click, .scroll, .keyDown, .keyUp, .keyPress, .text,
            .locks, .releaseAll:
            true
        case .alive, .requestControl, .handOver, .selectMonitor, .ping, .audioEnabled, .audioVolume, .audioOffer,
            .inputs, .videoEnabled, .quality, .keepsCursors:
            false
        }
    }
}
