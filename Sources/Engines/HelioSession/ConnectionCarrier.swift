internal import DequeModule
import HelioCore

/// The source's media inside a viewer's signalling connection: the datagrams to send, and the number of bytes that may
/// still be queued.
///
/// Only a few bytes are written to the kernel in advance, so that packets wait in the pacer, which can drop whole
/// frames. In the connection's send buffer they would delay signalling and input.
struct ConnectionCarrier {
    /// The limit of unsent bytes, as the number of seconds that they take at the sending rate; and the bounds of that
    /// limit in bytes.
    private static let longestWait = 0.020
    private static let fewest = 4 << 10
    private static let most = 32 << 10
    /// The limit of unsent bytes for reports and sound, which are sent regardless of `room`.
    private static let mostAtAll = 128 << 10

    /// True while media are sent inside the connection.
    var isOpen = false
    /// The number of bytes written to the connection that the kernel has not accepted yet.
    var unsent = 0
    private var datagrams = Deque<[UInt8]>()
    private var waiting = 0

    /// Returns the number of bytes that may be queued now.
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

    /// Returns the next datagram as an interleaved RTSP frame; `nil` if none is queued.
    mutating func pollFrame() -> [UInt8]? {
        guard let datagram = datagrams.popFirst() else { return nil }
        waiting -= datagram.count
        return ConnectionChannel.media.frame(datagram)
    }
}
