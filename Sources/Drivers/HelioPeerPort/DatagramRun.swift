internal import HelioCore

/// A run of datagrams to one destination, all of one size except a shorter last one. One system call sends the run, and
/// the system splits it into datagrams (UDP GSO).
struct DatagramRun {
    /// The maximum number of bytes in total, and the maximum number of datagrams, that Linux accepts in one call.
    private static let mostBytes = 60_000
    private static let mostDatagrams = 48

    private(set) var remote: TransportAddress?
    private var bytes: [UInt8] = []
    private var segment = 0
    private var count = 0
    /// True once a shorter datagram has been appended, which has to be the last one.
    private var isWhole = false

    func takes(_ datagram: [UInt8], to place: TransportAddress) -> Bool {
        place == remote && !isWhole && datagram.count <= segment && !datagram.isEmpty && count < Self.mostDatagrams
            && bytes.count + datagram.count <= Self.mostBytes
    }

    mutating func begin(_ place: TransportAddress) { remote = place }

    mutating func append(_ datagram: [UInt8]) {
        if count == 0 { segment = datagram.count }
        isWhole = datagram.count < segment
        bytes += datagram
        count += 1
    }

    /// Calls `body` with all bytes and the datagrams' size in bytes; the last datagram may be shorter.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>, Int) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { body($0, max(1, segment)) }
    }

    mutating func end() {
        remote = nil
        bytes.removeAll(keepingCapacity: true)
        (segment, count, isWhole) = (0, 0, false)
    }
}
