import HelioCore
import HelioSTUN

/// Fuzzes the framing of RFC 4571. The packets must not depend on how the stream is split, and must survive a round
/// trip.
package enum PacketStreamFuzz {
    private static let maximumSize = 1500

    package static func run(_ bytes: [UInt8]) {
        let whole = packets(bytes, step: max(1, bytes.count))
        precondition(whole == packets(bytes, step: 3), "a stream depends on how it is cut")
        var written: [UInt8] = []
        for packet in whole {
            precondition(!packet.isEmpty && packet.count <= maximumSize, "a packet of no use")
            written.append(bigEndian: UInt16(packet.count))
            written += packet
        }
        precondition(packets(written, step: 5) == whole, "packets changed on their way")
    }

    private static func packets(_ bytes: [UInt8], step: Int) -> [[UInt8]] {
        var framer = PacketFramer(maximumSize: maximumSize)
        var packets: [[UInt8]] = []
        for start in stride(from: 0, to: bytes.count, by: step) {
            framer.append(Array(bytes[start..<min(bytes.count, start + step)]))
            do {
                while let packet = try framer.next() { packets.append(packet) }
            } catch {
                return packets
            }
            precondition(framer.pendingCount < PacketFramer.headerSize + maximumSize, "more waits than one packet")
        }
        return packets
    }
}
