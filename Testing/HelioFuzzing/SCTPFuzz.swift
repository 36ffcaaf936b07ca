import HelioCore
import HelioSCTP

/// Fuzzes SCTP associations, with any bytes as a packet before the handshake, and as chunks in packets with a correct
/// tag and checksum to an established association.
package enum SCTPFuzz {
    /// Runs an association with a sequence of packets without their common headers, each preceded by its length in two
    /// bytes.
    package static func run(_ bytes: [UInt8]) {
        if case .open(let description) = ChannelProtocolMessage.parse(bytes.span.bytes) {
            let written = ChannelProtocolMessage.open(description).serialised()
            precondition(ChannelProtocolMessage.parse(written.span.bytes) == .open(description), "an OPEN changed")
        }
        guard var a = channels(.client, seed: 1), var b = channels(.server, seed: 2) else {
            preconditionFailure("no association")
        }
        b.handle(.datagram(bytes), now: .zero)
        _ = drain(&b)
        a.connect(now: .zero)
        var tag: UInt32 = 0
        var isBusy = true
        while isBusy {
            isBusy = false
            for packet in drain(&a) {
                isBusy = true
                tag = packet.span.bytes.uint32(at: 4) ?? 0
                b.handle(.datagram(packet), now: .zero)
            }
            for packet in drain(&b) {
                isBusy = true
                a.handle(.datagram(packet), now: .zero)
            }
        }
        precondition(b.associationState == .established, "junk before the handshake spoiled it")

        _ = try? b.open(DataChannelDescription(label: "b"), now: .zero)
        var offset = 0
        var now = Instant.zero
        while let length = bytes.span.bytes.uint16(at: offset) {
            let end = min(bytes.count, offset + 2 + Int(length))
            var packet: [UInt8] = [0x13, 0x88, 0x13, 0x88]
            packet.append(bigEndian: tag)
            packet.append(bigEndian: UInt32(0))
            packet += bytes[offset + 2..<end]
            packet.setPacketChecksum()
            now = now + .milliseconds(300)
            b.handle(.datagram(packet), now: now)
            _ = drain(&b)
            b.tick(now: now)
            _ = drain(&b)
            offset = end
        }
    }

    private static func channels(_ role: DataChannels.Role, seed: UInt64) -> DataChannels? {
        var generator = SeededGenerator(seed: seed)
        return try? DataChannels(
            role: role, DataChannelConfiguration(), crypto: ToyCrypto(), using: &generator, now: .zero)
    }

    private static func drain(_ channels: inout DataChannels) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        while let output = channels.poll() {
            guard case .datagram(let packet) = output else { continue }
            precondition(packet.count <= 1200, "a packet too long")
            packets.append(packet)
            precondition(packets.count < 10_000, "no end of packets")
        }
        return packets
    }
}
