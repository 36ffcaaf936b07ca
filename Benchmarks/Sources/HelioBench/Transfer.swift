import HelioCore

/// The cost of a stream of messages.
struct Transfer {
    var messages: Int
    /// The bytes of payload.
    var bytes: Int
    /// The datagrams of the sending end.
    var datagrams: Int
    /// The CPU time: in total, and of each end.
    var busy: Duration
    var sender: Duration
    var receiver: Duration
    var allocations: Int

    func megabits(over time: Duration) -> Double { Double(bytes) * 8 / time.inSeconds / 1e6 }
}
