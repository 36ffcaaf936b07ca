internal import HelioCore
internal import HelioGround
internal import HelioSTUN
internal import NIOCore

/// An ICE-TCP connection: packets framed by their length, to and from one remote address.
final class PeerStream: PortFlushable {
    /// The longest packet in bytes: a DTLS record can't be longer, and all other packets are shorter.
    static let largestPacket = 16_384 + 1024

    let way: RouteTable.Way
    let channel: any Channel
    /// The number of the peer that requested the connection, or whose check was the first packet on it.
    var owner: UInt64?
    /// True once an authenticated check, or a response to one, has arrived on this connection.
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

    /// Returns the packets that these bytes complete; `nil` if the framing is broken.
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

    /// Queues a packet; `false` if there is no room.
    func send(_ packet: [UInt8]) -> Bool { writer.append(packet, isFramed: true) }

    func flush() { writer.flush() }

    func close() { channel.close(promise: nil) }
}
