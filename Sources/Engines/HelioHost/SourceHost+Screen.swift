import HelioCore
import HelioRemoteWire
import HelioSession

// Messages to viewers about the captured screen, beside its picture: its size, the monitors and the pointer. Native
// viewers are sent the pointer's position by `HostControl`.

extension SourceHost {
    func show(_ shape: CursorShape, _ now: Instant) {
        // Drop a shape with fewer pixels than its size implies: that is a bug of the platform's code.
        guard let shape = shape.fitted(within: CursorMessage.largestSide) else { return }
        cursorShape = shape
        for session in sessions.values {
            session.announce(shape)
            drain(session, now)
        }
        tellWebCursor(now)
    }

    func show(_ list: [MonitorEntry], selected: String?, _ now: Instant) {
        let message = MonitorsMessage.encode(list, selected: selected)
        monitors = message
        for session in sessions.values {
            session.announce(monitors: message)
            drain(session, now)
        }
        tellWeb(message, on: .control, now: now)
    }

    /// Sends a playing viewer the pointer's shape or the list of monitors, if one is due; returns whether a message was
    /// sent.
    func announceNext(to session: SourceSession, _ now: Instant) -> Bool {
        guard session.state == .playing else { return false }
        if let cursorShape, session.needsCursorShape { session.announce(cursorShape) }
        if session.sendCursor(now: now) { return true }
        guard let monitors, session.needsMonitors else { return false }
        session.announce(monitors: monitors)
        return true
    }

    // MARK: Browsers

    /// The captured screen's size and scale, as a message to browsers.
    var screenInfo: HostMessage { .screenInfo(screen.size, scale: screen.scale) }

    /// The pointer's shape, made small enough for a message to browsers; `nil` before the first shape.
    var webCursorShape: CursorShape? { cursorShape?.fitted(within: HostMessage.largestCursorSide) }

    /// Sends each browser the pointer's shape, as far as the viewer's rate limit for shapes allows.
    func tellWebCursor(_ now: Instant) {
        guard !web.sessions.isEmpty, let shape = webCursorShape else { return }
        for session in web.sessions.values {
            session.announce(shape, now: now)
            drain(session, now)
        }
    }

    /// Sends a message to all browsers whose control channel is open, serialised once.
    func tellWeb(_ message: HostMessage, now: Instant) {
        if !web.sessions.isEmpty { tellWeb(message.serialised(), on: message.channel, now: now) }
    }

    /// Sends a serialised message to all browsers whose control channel is open.
    func tellWeb(_ message: [UInt8], on channel: RemoteChannel, now: Instant) {
        for session in web.sessions.values where session.viewer.hasControl {
            session.send(message, on: channel)
            drain(session, now)
        }
    }
}
