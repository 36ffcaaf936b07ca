import HelioCore
import HelioSTUN

// TCP connections (RFC 6544): the driver opens and closes them, the agent updates their candidate pairs.

extension ICEAgent {
    /// Requests the TCP connection of a pair from the driver; the pair is checked once the connection is open.
    func connect(_ index: Int, _ now: Instant) {
        let pair = session.pairs[index]
        session.pairs[index].state = .inProgress
        session.pairs[index].connectsUntil = now + settings.connectTimeout
        outputs.append(.connect(from: pair.local.base, to: pair.remote.address))
    }

    /// Handles an opened connection. A connection for which no pair waits is ignored; the driver closes it, as it
    /// carries no data.
    func connected(from: TransportAddress, to: TransportAddress, local: TransportAddress, _ now: Instant) {
        guard local.transport == .tcp, let index = session.index(base: from, remote: to),
            session.pairs[index].connectsUntil != nil
        else { return }
        session.pairs[index].connectsUntil = nil
        session.pairs[index].local = session.pairs[index].local.connected(from: local)
        session.trigger(index)
    }

    func disconnected(from: TransportAddress, to: TransportAddress, _ now: Instant) {
        if let former, former.pair.local.base == from, former.pair.remote.address == to {
            self.former?.consent.isBroken = true
        }
        guard let index = session.index(base: from, remote: to) else { return }
        if session.pairs[index].id == session.selected {
            session.consent?.isBroken = true
        } else {
            failConnection(index)
        }
    }

    /// Removes a TURN allocation: all pairs through its relayed address fail, like TCP connections that have ended.
    func lose(_ relay: TransportAddress) {
        locals.removeAll { $0.base == relay }
        if former?.pair.local.base == relay { former?.consent.isBroken = true }
        for index in session.pairs.indices where session.pairs[index].local.base == relay {
            if session.pairs[index].id == session.selected {
                session.consent?.isBroken = true
            } else {
                failConnection(index)
            }
        }
    }

    func stopConnecting(_ now: Instant) {
        for index in session.pairs.indices {
            if let until = session.pairs[index].connectsUntil, until <= now { failConnection(index) }
        }
    }

    private func failConnection(_ index: Int) {
        let id = session.pairs[index].id
        session.pairs[index].connectsUntil = nil
        session.pairs[index].state = .failed
        session.triggered.removeAll { $0 == id }
        session.transactions.removeAll { $0.pair == id }
        if session.nominating == id { session.nominating = nil }
    }

    var connectionDeadline: Deadline? {
        session.pairs.lazy.compactMap(\.connectsUntil).min().map { Deadline(at: $0, why: "connection takes too long") }
    }
}
