package import HelioCore

/// Counts the bytes written to a connection that the kernel has not accepted yet. The count is limited in size and in
/// time, so that a peer that does not read can't make a server buffer without bounds.
package struct UnsentBytes {
    /// The maximum number of bytes, above which `isTooMuch` is true.
    package var most: Int
    /// The time without an accepted byte after which `isStuck` is true.
    package let patience: Duration
    package private(set) var count = 0
    /// The time at which the kernel last accepted bytes, or at which bytes were written while none were unsent.
    private var since = Instant.zero

    package init(most: Int, patience: Duration = .seconds(10)) {
        self.most = most
        self.patience = patience
    }

    package mutating func write(_ bytes: Int, now: Instant) {
        if count == 0 { since = now }
        count += bytes
    }

    /// Records that the kernel has accepted this number of bytes.
    package mutating func taken(_ bytes: Int, now: Instant) {
        count = max(0, count - bytes)
        since = now
    }

    /// Resets the count for a new connection.
    package mutating func clear() { count = 0 }

    package var isTooMuch: Bool { count > most }
    package func isStuck(now: Instant) -> Bool { count > 0 && now - since >= patience }

    package var deadline: Deadline? {
        count > 0 ? Deadline(at: since + patience, why: "the connection takes nothing") : nil
    }
}
