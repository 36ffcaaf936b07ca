internal import HelioCore
internal import HelioLoop
internal import HelioSTUN
internal import NIOCore

/// A connection of ICE-TCP: packets framed by their length, to and from one place.
final class PeerStream: PortFlushable {
    /// A record of DTLS can't be longer, and nothing else is as long.
    static let largestPacket = 16_384 + 1024

    let way: RouteTable.Way
    let channel: any Channel
    /// Who asked for it, or whose checks came by it first.
    var owner: UInt64?
    /// An authentic check has come by it, or an answer.
    var isProven = false
    private(set) var heardAt = MonotonicClock.now
    private let writer: StreamWriter
    private var framer = PacketFramer(maximumSize: largestPacket)

    init(_ channel: any Channel, _ way: RouteTable.Way, owner: UInt64?, maximumWaiting: Int) {
        self.channel = channel
        self.way = way
        self.owner = owner
        writer = StreamWriter(channel, maximumWaiting: maximumWaiting)
    }

    /// The packets that these bytes complete; `nil` where the stream makes no sense any more.
    func packets(of bytes: [UInt8]) -> [[UInt8]]? {
        heardAt = MonotonicClock.now
        framer.append(bytes)
        var packets: [[UInt8]] = []
        do {
            while let packet = try framer.next() { packets.append(packet) }
        } catch {
            return nil
        }
        return packets
    }

    /// `false` where there is no room.
    func send(_ packet: [UInt8]) -> Bool { writer.append(packet, isFramed: true) }

    func flush() { writer.flush() }

    func close() { channel.close(promise: nil) }
}
