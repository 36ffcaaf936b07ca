import HelioCore

/// One end of what goes over the transfer channel: an exchange, what a driver does for it, and the way to the other end.
protocol TransferEnd: AnyObject {
    var channel: FakeChannel { get set }

    /// The exchange's.
    var deadline: Deadline? { get }
    func tick(now: Instant)
    /// Gives the exchange a message of the other end's.
    func receive(_ bytes: [UInt8], now: Instant)
    /// Carries out what the exchange says.
    func drain(now: Instant)
}
