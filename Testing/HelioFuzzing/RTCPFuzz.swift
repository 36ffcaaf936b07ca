import HelioCore
import HelioRTP

/// Fuzzes the parser of compound RTCP packets. Parsed packets must survive a round trip.
package enum RTCPFuzz {
    package static func run(_ bytes: [UInt8]) {
        _ = RTCPPacket.isRTCP(bytes.span.bytes)
        guard let packets = RTCPPacket.parseCompound(bytes.span.bytes), !packets.isEmpty else { return }
        var written: [UInt8] = []
        for packet in packets { packet.write(into: &written) }
        precondition(RTCPPacket.parseCompound(written.span.bytes) == packets)
        for case .genericNACK(let nack) in packets {
            let packed = GenericNACK(sender: nack.sender, media: nack.media, lost: nack.lost)
            precondition(Set(packed.lost).isSubset(of: nack.lost))
        }
        for case .transportFeedback(let feedback) in packets {
            precondition((1...TransportFeedback.maximumPackets).contains(feedback.deltas.count))
            precondition(
                feedback.arrivals.count == feedback.deltas.count && feedback.arrivals[0].sequence == feedback.base)
        }
    }
}
