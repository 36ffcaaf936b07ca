import HelioCore

/// What was written to a connection and the system has not taken yet: bounded in bytes and in time, so that nobody
/// makes a server keep what he does not read.
struct UnsentBytes {
    /// More than this is too much.
    var most: Int
    /// How long nothing at all may be taken.
    let patience: Duration
    private(set) var count = 0
    /// When the connection last took something, or had nothing to take.
    private var since = Instant.zero

    init(most: Int, patience: Duration = .seconds(10)) {
        self.most = most
        self.patience = patience
    }

    mutating func write(_ bytes: Int, now: Instant) {
        if count == 0 { since = now }
        count += bytes
    }

    /// The system has taken so many.
    mutating func taken(_ bytes: Int, now: Instant) {
        count = max(0, count - bytes)
        since = now
    }

    /// A new connection: nothing is on its way.
    mutating func clear() { count = 0 }

    var isTooMuch: Bool { count > most }
    func isStuck(now: Instant) -> Bool { count > 0 && now - since >= patience }

    var deadline: Deadline? {
        count > 0 ? Deadline(at: since + patience, why: "the connection takes nothing") : nil
    }
}
