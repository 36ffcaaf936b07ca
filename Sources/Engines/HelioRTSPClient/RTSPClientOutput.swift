/// An output of an RTSP client's engine.
package enum RTSPClientOutput<Event> {
    case link(RTSPLinkCommand)
    case event(Event)
}

extension RTSPClientOutput: Sendable where Event: Sendable {}
