import HelioBitstream
import HelioCore
import HelioRTP
import HelioSimulation

/// The packets that a packetizer made of one slice.
struct Packets {
    struct Packet: Equatable {
        var sequence: ExtendedSequence
        var bytes: [UInt8]
        var headerLength: Int
        var capacity: Int

        var payload: [UInt8] { Array(bytes[headerLength...]) }
        var header: RTPHeader? { RTPHeader.parse(bytes.span.bytes) }
    }

    static let timing = FrameTiming(
        damaged: Instant(nanoseconds: 1_000_000), captured: Instant(nanoseconds: 2_000_000),
        converted: Instant(nanoseconds: 3_000_000), encoded: Instant(nanoseconds: 4_000_000))
    static let sent = Instant(nanoseconds: 5_000_000)

    static func make(
        _ annexB: [UInt8], with packetizer: inout RTPPacketizer, isLast: Bool = true, reserve: Int = 16
    ) -> [Packet] {
        let slice = EncodedSlice(
            frameIndex: 0, annexB: annexB, isFirst: true, isLast: isLast, isKeyframe: false, timing: timing)
        var packets: [Packet] = []
        packetizer.packetize(slice, timestamp: 90000, sent: sent, reserve: reserve) { sequence, bytes, headerLength in
            let capacity = bytes.capacity
            packets.append(
                Packet(sequence: sequence, bytes: bytes, headerLength: headerLength, capacity: capacity))
        }
        return packets
    }

    static func packetizer(
        _ codec: VideoCodec, size: Int = 1200, timing: UInt8? = nil, first: UInt64 = 0x1_0000
    ) -> RTPPacketizer {
        RTPPacketizer(
            codec: codec, ssrc: SSRC(0xCAFE), payloadType: PayloadType(96), firstSequence: ExtendedSequence(first),
            maximumPacketSize: size, timingExtensionID: timing)
    }

    /// NAL units behind start codes of 4 bytes.
    static func annexB(_ nalUnits: [[UInt8]]) -> [UInt8] {
        Array(nalUnits.map { AnnexB.startCode + $0 }.joined())
    }
}
