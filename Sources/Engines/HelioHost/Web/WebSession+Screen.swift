import HelioCore
import HelioRemoteWire
import HelioSession

// Messages to one browser about the host's screen, beside its picture.

extension WebSession {
    /// The optional message types that this host announces to browsers; a page does not send them to a host that does
    /// not announce them.
    private static let extraTypes = ["inputs", "videoEnabled", "quality", "keepsCursors", "ownPicture"]

    /// Sends the complete state of the screen, as the viewer's control channel is open.
    func tellScreen(_ host: SourceHost, now: Instant) {
        tell(host.screenInfo)
        // This message precedes the control state. Pages send no input before they have the control state, so they
        // number all of their input or none.
        tell(.takes(Self.extraTypes))
        if let monitors = host.monitors { send(monitors, on: .control) }
        if let shape = host.webCursorShape { announce(shape, now: now) }
    }

    /// Sets the pointer's shape, with sides of at most `HostMessage.largestCursorSide`, and sends it if the rate limit
    /// for shapes allows. A viewer whose control channel is not open is sent the shape when it opens.
    func announce(_ shape: CursorShape, now: Instant) {
        guard viewer.hasControl else { return }
        cursor.show(shape)
        sendCursor(now)
    }

    /// Sends the pointer's shape if one is waiting and the rate limit for shapes allows.
    func sendCursor(_ now: Instant) {
        switch cursor.poll(now: now) {
        case .shape(let shape, let number): tell(.cursorShape(shape, number: number))
        case .again(let number): tell(.cursorAgain(number: number))
        case nil: break
        }
    }

    /// Counts of pointer shapes that were not sent, as newer ones replaced them.
    var cursorDrops: [String: Int] { cursor.skipped > 0 ? ["web-control-pointer-shapes": cursor.skipped] : [:] }
}
