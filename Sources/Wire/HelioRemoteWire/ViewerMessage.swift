public import HelioControlWire
public import HelioCore

/// A message from a browser's viewer to the host, on its data channels.
///
/// Points outside the picture have been clamped to its edge.
public enum ViewerMessage: RemoteMessage {
    /// A relative pointer movement.
    case mouseMove(PointerStep)
    /// The pointer's position. `order` (`n` on the wire) counts up, to 2^53 - 1.
    case mouseTo(NormalizedPoint, order: UInt64)
    /// A button press. The pointer moves to the place first, if there is one.
    case mouseDown(PointerButton, at: PressPlace?)
    /// A button release. The pointer moves to the place first, if there is one.
    case mouseUp(PointerButton, at: PressPlace?)
    /// A click; `count` is 1 or 2.
    case click(PointerButton, count: Int, at: PressPlace?)
    /// A scroll in 1/120 of a wheel detent, within ±32767; positive is up and right.
    case scroll(dx: Double, dy: Double)
    /// A key press.
    case keyDown(KeyStroke)
    /// A key release.
    case keyUp(KeyStroke)
    /// A key press and its release.
    case keyPress(KeyStroke)
    /// Text, 1 ... 4096 bytes of UTF-8.
    case text(String)
    /// The state of the viewer's keyboard locks.
    case locks(LockState)
    /// The release of all keys and buttons that this viewer holds.
    case releaseAll
    /// A keep-alive: the viewer still holds its pressed keys and buttons.
    case alive
    /// Requests control, from the host and the viewer that is in control.
    case requestControl
    /// Hands over control to a viewer; `nil` for the next viewer that sends input.
    case handOver(to: ViewerNumber?)
    /// Selects a monitor by its `id` in ``HostMessage/monitors(_:selected:)``.
    case selectMonitor(id: String)
    /// A ping; `id` is 0 ... 2^53 - 1.
    case ping(id: UInt64)
    /// Turns the host's sound for the viewer on or off (requirement row 131).
    case audioEnabled(Bool)
    /// The viewer's playback volume, 0 ... 1 (requirement row 131).
    case audioVolume(Double)
    /// A new offer for the same connection, with sections to receive the host's sound (requirement row 130): 1 ...
    /// ``longestOffer`` bytes of SDP. With `inStep`, the viewer synchronises the picture with the sound.
    case audioOffer(sdp: String, inStep: Bool)
    /// Inputs that the viewer retransmits until the host acknowledges them.
    case inputs(NumberedInputs)
    /// Turns the video for the viewer on or off; false while the viewer's page is hidden.
    case videoEnabled(Bool)
    /// The viewer's preferences for the video from now on.
    case quality(PictureWish)
    /// Announces that the viewer stores pointer shapes by number from now on; see ``HostMessage/cursorAgain(number:)``.
    case keepsCursors
    /// Sets whether the page itself decodes the video from now on, or the browser. With `repairs`, the page decodes
    /// repair pictures, and needs them instead of keyframes after a loss.
    case ownPicture(enabled: Bool, repairs: Bool)
    /// A loss report from a page that decodes the video itself: the page can decode no frame after the one with the RTP
    /// timestamp `whole` until a repair picture arrives, or without `whole`, until a keyframe arrives. `order` (`n` on
    /// the wire) counts up, to 2^53 - 1.
    case pictureLost(whole: UInt32?, order: UInt64)
    /// The RTP timestamp of the newest frame that the page has decoded, and the median time from a frame's arrival to
    /// its drawing in milliseconds, 0 ... ``longestDelay``.
    case pictureSeen(timestamp: UInt32, milliseconds: Double)

    /// The maximum size of a message, in bytes of JSON.
    public static let maximumSize = 16_384
    /// The maximum number of JSON values in one message; the largest batch of keys, each with all modifiers, has fewer.
    static let mostValues = 512
    /// The maximum size of ``text(_:)``, in bytes of UTF-8.
    public static let longestText = 4096
    /// The maximum size of a new offer in bytes, low enough that it fits into one message together with escapes.
    public static let longestOffer = 15_360
    /// The maximum pointer movement of one step in each direction, in pixels.
    public static let farthestStep = 65_535.0
    /// The farthest scroll of one message in each direction, in 1/120 of a wheel detent.
    public static let farthestScroll = 32_767.0
    /// The longest delay of ``pictureSeen(timestamp:milliseconds:)``: a minute, in milliseconds.
    public static let longestDelay = 60_000.0

    /// The channel of the message. `control` may carry any message.
    public var channel: RemoteChannel {
        switch self {
        case .mouseMove, .mouseTo, .inputs, .pictureLost, .pictureSeen: .moves
        default: .control
        }
    }

    /// True for mouse, keyboard and touch input, which may be sent in ``inputs(_:)``.
    public var isInput: Bool {
        switch self {
        case .mouseMove, .mouseTo, .mouseDown, .mouseUp, .click, .scroll, .keyDown, .keyUp, .keyPress, .text,
            .locks, .releaseAll:
            true
        case .alive, .requestControl, .handOver, .selectMonitor, .ping, .audioEnabled, .audioVolume, .audioOffer,
            .inputs, .videoEnabled, .quality, .keepsCursors, .ownPicture, .pictureLost, .pictureSeen:
            false
        }
    }
}
