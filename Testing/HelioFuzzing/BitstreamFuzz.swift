import HelioBitstream
import HelioCore

/// Fuzzes the bitstream parsers: NAL units in Annex B and AVCC form, parameter sets, and Heliograph's damage and
/// repair messages.
package enum BitstreamFuzz {
    package static func run(_ bytes: [UInt8]) {
        let span = bytes.span.bytes
        checkParameters(span)
        checkFraming(bytes)
        for codec in VideoCodec.allCases {
            _ = AnnexB.containsKeyframe(span, codec: codec)
            if let message = DamageMessage.find(inAnnexB: span, codec: codec) { checkDamage(message, codec) }
            if let message = RepairMessage.find(inAnnexB: span, codec: codec) {
                var written: [UInt8] = []
                message.write(into: &written, codec: codec)
                precondition(message.back > 0, "a picture that refers to itself")
                precondition(RepairMessage.find(inAnnexB: written.span.bytes, codec: codec) == message)
            }
        }
    }

    private static func checkParameters(_ span: RawSpan) {
        let limit = 1...16384
        if let h264 = H264SequenceParameters.parse(nal: span) {
            precondition(limit.contains(h264.size.width) && limit.contains(h264.size.height))
        }
        if let h265 = H265SequenceParameters.parse(nal: span) {
            precondition(limit.contains(h265.size.width) && limit.contains(h265.size.height))
        }
        AnnexB.forEachNALUnit(in: span) { range in
            precondition(!range.isEmpty && range.upperBound <= span.byteCount)
            let nal = span.extracting(range)
            _ = H264SequenceParameters.parse(nal: nal)
            _ = H265SequenceParameters.parse(nal: nal)
        }
    }

    private static func checkFraming(_ bytes: [UInt8]) {
        let sample = AVCC.sample(fromAnnexB: bytes.span.bytes)
        guard let annexB = AVCC.annexB(from: sample.span.bytes) else {
            preconditionFailure("own sample not read")
        }
        precondition(AVCC.sample(fromAnnexB: annexB.span.bytes) == sample)
        _ = AVCC.annexB(from: bytes.span.bytes)
    }

    private static func checkDamage(_ message: DamageMessage, _ codec: VideoCodec) {
        precondition(message.region.rects.count <= Region.limit)
        var written: [UInt8] = []
        message.write(into: &written, codec: codec)
        let again = DamageMessage.find(inAnnexB: written.span.bytes, codec: codec)
        precondition(again?.refinement == message.refinement)
    }
}
