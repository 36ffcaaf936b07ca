/// What the engine of an RTSP client wants done.
package enum RTSPClientOutput<Event> {
    case link(RTSPLinkCommand)
    case event(Event)
}

extension RTSPClientOutput: Sendable where Event: Sendable {}
