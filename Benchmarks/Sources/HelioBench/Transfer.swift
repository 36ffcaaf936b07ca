import HelioCore

/// What a stream of messages cost.
struct Transfer {
    var messages: Int
    /// Of payload.
    var bytes: Int
    /// Of the sending end.
    var datagrams: Int
    /// Of a core: all, and what each end had of it.
    var busy: Duration
    var sender: Duration
    var receiver: Duration
    var allocations: Int

    func megabits(over time: Duration) -> Double { Double(bytes) * 8 / time.inSeconds / 1e6 }
}
