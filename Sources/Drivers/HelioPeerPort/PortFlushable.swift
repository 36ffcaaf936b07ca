/// A socket or connection whose packets are queued until the end of the event-loop tick.
protocol PortFlushable: AnyObject {
    func flush()
    /// Returns the number of packets that the system refused since the last call, and resets it.
    func takeRefused() -> Int
}

extension PortFlushable {
    func takeRefused() -> Int { 0 }
}
