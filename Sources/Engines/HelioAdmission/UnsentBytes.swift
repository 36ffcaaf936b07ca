package import HelioCore

/// A count of the bytes written to a connection that the system has not taken yet: bounded in bytes and in time, so
/// that a peer that does not read can't make a server keep them.
package struct UnsentBytes {
    /// The limit in bytes, above which `isTooMuch` is true.
    package var most: Int
    /// The time for which the system may take no bytes before `isStuck` is true.
    package let patience: Duration
    package private(set) var count = 0
    /// When the system last took bytes, or when bytes were written while none were unsent.
    private var since = Instant.zero

    package init(most: Int, patience: Duration = .seconds(10)) {
        self.most = most
        self.patience = patience
    }

    package mutating func write(_ bytes: Int, now: Instant) {
        if count == 0 { since = now }
        count += bytes
    }

    /// Records that the system has taken this many bytes.
    package mutating func taken(_ bytes: Int, now: Instant) {
        count = max(0, count - bytes)
        since = now
    }

    /// Starts over for a new connection, with nothing unsent.
    package mutating func clear() { count = 0 }

    package var isTooMuch: Bool { count > most }
    package func isStuck(now: Instant) -> Bool { count > 0 && now - since >= patience }

    package var deadline: Deadline? {
        count > 0 ? Deadline(at: since + patience, why: "the connection takes nothing") : nil
    }
}
