/// The state of a bus.
package enum BusState: String, Sendable {
    case connected
    /// The bus is away, and looked for: this instance serves its own devices alone.
    case lost
}

/// Counts of a bus since its start, and its state.
package struct BusStatistics: Sendable, Equatable {
    package var state = BusState.lost
    /// The number of connections to the bus that were made.
    package var connections = 0
    /// The number of messages.
    package var sent = 0
    package var received = 0

    package init() {}
}

/// The connection of this instance with the others. Its methods are callable from any thread, and don't block.
protocol BusLink: Sendable {
    var statistics: BusStatistics { get }
    /// Sends a message behind those before. Returns false if too many wait, so that it is dropped.
    func send(_ subject: String, _ bytes: [UInt8]) -> Bool
    /// Takes messages that have arrived, at most this many, and what was lost since the last call.
    func take(most: Int) -> BusArrivals
    /// Sends what waits, within a short time, and ends.
    func finish() async
    /// Ends without waiting.
    func end()
}

/// Messages that have arrived from other instances.
struct BusArrivals: Sendable {
    var messages: [[UInt8]] = []
    /// True if there are more; else the next arrival is announced.
    var hasMore = false
    /// The number of messages that were dropped because too many waited.
    var full = 0
    /// The number of messages that were not sent, as they waited too long or are longer than the bus takes.
    var unsent = 0
    /// The number of messages that were longer than any that an instance sends.
    var oversized = 0
}

/// An event of a bus, for the service.
enum BusNews: Sendable {
    /// Messages may be taken.
    case arrived
    case connected
    /// The connection has ended, or can't be made; told once until the next connection. With the reason.
    case lost(String)
}
