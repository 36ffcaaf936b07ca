import HelioCore

/// One end of the transfer channel: an exchange, the driver's work for it, and the channel to the other end.
protocol TransferEnd: AnyObject {
    var channel: FakeChannel { get set }

    /// The exchange's next deadline.
    var deadline: Deadline? { get }
    func tick(now: Instant)
    /// Passes a message of the other end to the exchange.
    func receive(_ bytes: [UInt8], now: Instant)
    /// Executes the exchange's outputs.
    func drain(now: Instant)
}
