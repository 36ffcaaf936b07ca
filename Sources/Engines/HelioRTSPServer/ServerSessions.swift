internal import DequeModule
import HelioAdmission
import HelioCore

/// The sessions of one server, up to its connection limit, and the queue of their outputs.
final class ServerSessions<Session: ServerSession> {
    private let server: ServerState
    private let limit: Int
    private var table = OrderedTable<ConnectionID, Session>()
    private var outputs = Deque<RTSPServerOutput<Session.Event>>()

    init(_ server: ServerState, limit: Int) {
        self.server = server
        self.limit = limit
    }

    var all: [Session] { table.values }
    func knows(_ id: ConnectionID) -> Bool { table[id] != nil }

    /// The progress of a connection that has not set up or announced a stream yet, for `Stranger.toMakeRoom`; `nil`
    /// once it has.
    func progress(of id: ConnectionID) -> Stranger.Progress? {
        table[id].map(\.isStranger) ?? true ? .connected : nil
    }

    func poll() -> RTSPServerOutput<Session.Event>? { outputs.popFirst() }

    func emit(_ event: Session.Event) { outputs.append(.event(event)) }

    var deadline: Deadline? { all.reduce(nil) { Deadline.earliest($0, $1.deadline) } }

    func tick(now: Instant) { call(all, now: now) { $0.tick(now: now) } }

    /// Ends every session with this reason, and closes the connections.
    func stop(_ reason: String, now: Instant) {
        call(all, now: now) { $0.end(reason, closes: true, now: now) }
    }

    // MARK: Connections

    func connect(_ id: ConnectionID, now: Instant, _ make: () -> Session) {
        if table.count >= limit {
            server.drops.count(Session.rules.full)
            // Evict the least recently active session that has set up nothing, so that idle connections can't block the
            // server.
            let oldest = all.filter(\.isStranger).map(\.connection).min {
                ($0.lastHeard, $0.id.rawValue) < ($1.lastHeard, $1.id.rawValue)
            }
            guard let oldest else { return outputs.append(.close(id)) }
            call(oldest.id, now: now) { $0.end(nil, closes: true, now: now) }
        }
        table[id] = make()
    }

    func handle(_ bytes: [UInt8], on id: ConnectionID, now: Instant) {
        call(id, now: now) { $0.handle(bytes, now: now) }
    }

    func wrote(_ count: Int, on id: ConnectionID, now: Instant) { table[id]?.connection.wrote(count, now: now) }

    /// Ends the session of a closed connection.
    func disconnect(_ id: ConnectionID, _ reason: String, now: Instant) {
        call(id, now: now) { $0.end(reason, closes: false, now: now) }
    }

    // MARK: Calls

    private func call(_ id: ConnectionID, now: Instant, _ body: (Session) -> Void) {
        if let session = table[id] { call([session], now: now, body) }
    }

    /// Calls `body` with each session, and then `settle`.
    func call(_ sessions: [Session], now: Instant, _ body: (Session) -> Void) {
        for session in sessions {
            body(session)
            settle(session, now: now)
        }
    }

    /// Collects a session's outputs after a call. Ends the session if its client does not read, and removes a session
    /// that has ended.
    func settle(_ session: Session, now: Instant) {
        session.flush(now: now)
        if session.connection.unsent.isTooMuch, !session.hasEnded {
            server.drops.count(.unread)
            session.end(Session.rules.unreadReason, closes: true, now: now)
            session.flush(now: now)
        }
        for output in session.connection.pollOutputs() { outputs.append(output) }
        if session.hasEnded { table[session.connection.id] = nil }
    }
}
