/// Something with packets that wait for the end of the event loop's turn.
protocol PortFlushable: AnyObject {
    func flush()
    /// How many packets of its the system did not take since this was asked last.
    func takeRefused() -> Int
}

extension PortFlushable {
    func takeRefused() -> Int { 0 }
}
