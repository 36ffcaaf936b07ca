import HelioCore
import HelioRTP

/// RTP headers, their extensions and the times that Heliograph carries in one.
package enum RTPFuzz {
    package static func run(_ bytes: [UInt8]) {
        let packet = bytes.span.bytes
        if let timing = FrameTimingExtension.parse(packet) { checkTiming(timing) }
        guard let header = RTPHeader.parse(packet) else { return }
        precondition(header.length <= bytes.count && header.extensionData.upperBound <= header.length)
        if let payload = header.payload(in: packet) {
            precondition(payload.lowerBound == header.length && payload.upperBound <= bytes.count)
        }
        checkExtension(header, packet)

        var written: [UInt8] = []
        header.write(into: &written, hasExtension: false)
        let again = RTPHeader.parse(written.span.bytes)
        precondition(
            again?.marker == header.marker && again?.payloadType == header.payloadType
                && again?.sequence == header.sequence && again?.timestamp == header.timestamp
                && again?.ssrc == header.ssrc && again?.length == RTPHeader.fixedSize)
    }

    private static func checkExtension(_ header: RTPHeader, _ packet: RawSpan) {
        let elements = RTPHeaderExtension.elements(of: header, in: packet)
        for element in elements {
            guard let range = RTPHeaderExtension.find(id: element.id, of: header, in: packet) else {
                preconditionFailure("an element that is listed is not found")
            }
            precondition(range.upperBound <= header.extensionData.upperBound)
        }
        var written: [UInt8] = []
        header.write(into: &written, hasExtension: true)
        RTPHeaderExtension.write(elements, into: &written)
        guard let again = RTPHeader.parse(written.span.bytes) else { preconditionFailure("own header not read") }
        precondition(RTPHeaderExtension.elements(of: again, in: written.span.bytes) == elements)
    }

    private static func checkTiming(_ timing: FrameTimingExtension) {
        var written: [UInt8] = []
        timing.writeExtension(id: 1, into: &written)
        precondition(written.count == FrameTimingExtension.extensionSize)
        let data = 5..<5 + FrameTimingExtension.size
        precondition(FrameTimingExtension.parse(written.span.bytes.extracting(data)) == timing)
    }
}
