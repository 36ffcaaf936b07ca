import HelioCore
import HelioProtection

/// The packets for measuring protection, and a round in each direction.
enum Packets {
    /// The number of packets in a round: few enough for the caches of a small machine, like the few of a real stream.
    static let roundLength = 256
    private static let headerLength = 12

    /// An RTP packet of this length with room for protection's trailer, as the packetiser makes it.
    static func plain(_ sequence: UInt64, length: Int, room: Int) -> [UInt8] {
        var packet: [UInt8] = []
        packet.reserveCapacity(length + room)
        packet += [0x80, 96]
        packet.append(bigEndian: UInt16(truncatingIfNeeded: sequence))
        packet.append(bigEndian: UInt32(truncatingIfNeeded: sequence / 4 * 1500))
        packet.append(bigEndian: UInt32(7))
        for offset in headerLength..<length { packet.append(UInt8(truncatingIfNeeded: offset &* 31)) }
        return packet
    }

    static func protect(_ sender: inout SRTPSender, _ packets: inout [[UInt8]], _ first: UInt64) -> Round {
        Round.measure(packets: packets.count) {
            for n in packets.indices {
                do throws(SRTPError) {
                    try sender.protect(
                        rtp: &packets[n], headerLength: headerLength,
                        sequence: ExtendedSequence(first + UInt64(n)))
                } catch {
                    preconditionFailure("\(error)")
                }
            }
        }
    }

    static func open(_ receiver: inout SRTPReceiver, _ packets: inout [[UInt8]]) -> Round {
        Round.measure(packets: packets.count) {
            for n in packets.indices {
                do throws(SRTPDrop) {
                    _ = try receiver.open(rtp: &packets[n])
                } catch {
                    preconditionFailure("\(error)")
                }
            }
        }
    }
}
