internal import DequeModule
import HelioCore

/// The source's media inside a viewer's signalling connection: the datagrams to send, and the number of bytes that may
/// still be queued.
///
/// Few bytes are queued before the system accepts them: packets wait in the pacer, where whole frames are dropped, and
/// not in the connection, where signalling and input would wait behind them.
struct ConnectionCarrier {
    /// The limit of unsent bytes: as many as leave within this many seconds at the sending rate; and the bounds of that
    /// limit in bytes.
    private static let longestWait = 0.020
    private static let fewest = 4 << 10
    private static let most = 32 << 10
    /// The limit of unsent bytes for a datagram that does not wait for room: a report, or sound.
    private static let mostAtAll = 128 << 10

    /// True while media are sent inside the connection.
    var isOpen = false
    /// The bytes on the connection that the system has not accepted yet.
    var unsent = 0
    private var datagrams = Deque<[UInt8]>()
    private var waiting = 0

    /// The bytes that may be queued now.
    func room(at rate: Bitrate) -> Int {
        let wait = Int(Double(rate.bitsPerSecond) / 8 * Self.longestWait)
        return max(0, min(Self.most, max(Self.fewest, wait)) - unsent - waiting)
    }

    /// Queues a datagram; returns false if too many bytes are unsent.
    mutating func put(_ datagram: consuming [UInt8]) -> Bool {
        guard unsent + waiting <= Self.mostAtAll else { return false }
        waiting += datagram.count
        datagrams.append(datagram)
        return true
    }

    /// Returns the next datagram as a frame for the connection.
    mutating func pollFrame() -> [UInt8]? {
        guard let datagram = datagrams.popFirst() else { return nil }
        waiting -= datagram.count
        return ConnectionChannel.media.frame(datagram)
    }
}
