/// The events of one `turn` of a session. They are delivered after the loop's work is done, so that the receiver may
/// call the session.
final class SessionOutbox {
    private var events: [ViewerSession.Event] = []

    func put(_ event: ViewerSession.Event) { events.append(event) }

    func takeAll() -> [ViewerSession.Event] {
        defer { events = [] }
        return events
    }
}
