package import HelioCore

/// What was written to a connection and the system has not taken yet: bounded in bytes and in time, so that nobody
/// makes a server keep what he does not read.
package struct UnsentBytes {
    /// More than this is too much.
    package var most: Int
    /// How long nothing at all may be taken.
    package let patience: Duration
    package private(set) var count = 0
    /// When the connection last took something, or had nothing to take.
    private var since = Instant.zero

    package init(most: Int, patience: Duration = .seconds(10)) {
        self.most = most
        self.patience = patience
    }

    package mutating func write(_ bytes: Int, now: Instant) {
        if count == 0 { since = now }
        count += bytes
    }

    /// The system has taken so many.
    package mutating func taken(_ bytes: Int, now: Instant) {
        count = max(0, count - bytes)
        since = now
    }

    /// A new connection: nothing is on its way.
    package mutating func clear() { count = 0 }

    package var isTooMuch: Bool { count > most }
    package func isStuck(now: Instant) -> Bool { count > 0 && now - since >= patience }

    package var deadline: Deadline? {
        count > 0 ? Deadline(at: since + patience, why: "the connection takes nothing") : nil
    }
}
