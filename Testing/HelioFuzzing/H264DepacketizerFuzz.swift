import HelioBitstream
import HelioCore
import HelioRTP

/// Fuzzes the RTP depacketiser with sequences of H.264 payloads, and packetises and reassembles a frame.
package enum H264DepacketizerFuzz {
    package static func run(_ bytes: [UInt8]) {
        check(bytes, codec: .h264)
    }

    /// Checks the depacketiser for a codec, with `bytes` both as payloads, each preceded by its length in one byte, and
    /// as a frame to packetise and reassemble.
    static func check(_ bytes: [UInt8], codec: VideoCodec) {
        collect(bytes, codec: codec)
        roundTrip(bytes, codec: codec)
    }

    private static func collect(_ bytes: [UInt8], codec: VideoCodec) {
        let span = bytes.span.bytes
        var depacketizer = RTPDepacketizer(codec: codec)
        var annexB: [UInt8] = []
        var offset = 0
        while let length = span.uint8(at: offset) {
            let end = min(offset + 1 + Int(length), bytes.count)
            let payload = span.extracting(offset + 1..<end)
            offset = end
            _ = RTPDepacketizer.isKeyframePayload(payload, codec: codec)
            let before = annexB.count
            switch depacketizer.append(payload: payload, to: &annexB) {
            case .whole: precondition(!depacketizer.isPartial && annexB.count > before)
            case .partial: precondition(depacketizer.isPartial && annexB.count > before)
            case .malformed:
                depacketizer.reset()
                annexB.removeAll()
            }
            precondition(annexB.isEmpty || annexB.starts(with: AnnexB.startCode))
            precondition(annexB.count <= bytes.count * 5)
        }
    }

    private static func roundTrip(_ bytes: [UInt8], codec: VideoCodec) {
        var expected: [UInt8] = []
        let span = bytes.span.bytes
        AnnexB.forEachNALUnit(in: span) { range in
            guard range.count >= NALHeader.size(codec), NALHeader.isNALUnit(bytes[range.lowerBound], codec: codec)
            else { return }
            expected.append(contentsOf: AnnexB.startCode)
            expected.append(contentsOf: bytes[range])
        }
        let timing = FrameTiming(damaged: .zero, captured: .zero)
        let slice = EncodedSlice(
            frameIndex: 0, annexB: bytes, isFirst: true, isLast: true, isKeyframe: true, timing: timing)
        let limits = PacketizedSlice.Limits(
            last: PacketizedSlice.leastPayload, other: PacketizedSlice.leastPayload + FrameTimingExtension.extensionSize
        )
        let cut = PacketizedSlice(slice, codec: codec, limits: limits)
        var depacketizer = RTPDepacketizer(codec: codec)
        var collected: [UInt8] = []
        var isPartial = false
        for part in cut.payloads {
            precondition(part.range.count <= (part.isLast ? limits.last : limits.other))
            let payload = cut.bytes.span.bytes.extracting(part.range)
            switch depacketizer.append(payload: payload, to: &collected) {
            case .whole: isPartial = false
            case .partial: isPartial = true
            case .malformed(let why): preconditionFailure("own payload refused: \(why.rawValue)")
            }
        }
        precondition(!isPartial && collected == expected)
    }
}
