/// A socket or connection with packets that wait for the end of the event loop's turn.
protocol PortFlushable: AnyObject {
    func flush()
    /// Takes the number of its packets that the system did not take since the last call.
    func takeRefused() -> Int
}

extension PortFlushable {
    func takeRefused() -> Int { 0 }
}
