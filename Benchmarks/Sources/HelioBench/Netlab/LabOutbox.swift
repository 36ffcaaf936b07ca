/// The datagrams that an end of a flow wants sent, in order.
struct LabOutbox {
    private var datagrams: [[UInt8]] = []
    private var next = 0

    mutating func append(_ datagram: [UInt8]) { datagrams.append(datagram) }

    /// Takes the next one. All are taken at once, so the room is used again then.
    mutating func popFirst() -> [UInt8]? {
        guard next < datagrams.count else {
            datagrams.removeAll(keepingCapacity: true)
            next = 0
            return nil
        }
        defer { next += 1 }
        return datagrams[next]
    }
}
