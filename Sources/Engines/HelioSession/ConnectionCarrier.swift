internal import DequeModule
import HelioCore

/// The source's media inside a viewer's signalling connection: what is to be handed over, and how much more may be.
///
/// Little is handed over ahead of what the system takes: what waits, waits in the pacer, where whole frames are dropped,
/// and never behind a connection, where signalling and input would wait for it too.
struct ConnectionCarrier {
    /// The time at the sending rate for which bytes may wait for the system, and the bounds of that.
    private static let longestWait = 0.020
    private static let fewest = 4 << 10
    private static let most = 32 << 10
    /// The most unsent bytes with which a datagram is still taken that does not wait for room: a report, or sound.
    private static let mostAtAll = 128 << 10

    /// True while media go this way.
    var isOpen = false
    /// The bytes on the connection that the system has not taken yet.
    var unsent = 0
    private var datagrams = Deque<[UInt8]>()
    private var waiting = 0

    /// The bytes that may be handed over now.
    func room(at rate: Bitrate) -> Int {
        let wait = Int(Double(rate.bitsPerSecond) / 8 * Self.longestWait)
        return max(0, min(Self.most, max(Self.fewest, wait)) - unsent - waiting)
    }

    /// Takes a datagram; false where too much is unsent.
    mutating func put(_ datagram: consuming [UInt8]) -> Bool {
        guard unsent + waiting <= Self.mostAtAll else { return false }
        waiting += datagram.count
        datagrams.append(datagram)
        return true
    }

    /// Takes the next datagram as a frame for the connection.
    mutating func pollFrame() -> [UInt8]? {
        guard let datagram = datagrams.popFirst() else { return nil }
        waiting -= datagram.count
        return ConnectionChannel.media.frame(datagram)
    }
}
