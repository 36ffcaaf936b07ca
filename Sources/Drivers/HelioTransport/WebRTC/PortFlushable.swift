/// Something with packets that wait for the end of the event loop's turn.
protocol PortFlushable: AnyObject {
    func flush()
}
