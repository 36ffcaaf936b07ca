import HelioCore
import HelioRTP

/// Fuzzes the parsers of RTP headers, header extensions, FlexFEC headers and retransmission packets.
package enum RTPFuzz {
    package static func run(_ bytes: [UInt8]) {
        let packet = bytes.span.bytes
        if let timing = FrameTimingExtension.parse(packet) { checkTiming(timing) }
        checkValues(packet)
        if let header = FlexFECHeader.parse(packet) { checkFlexFEC(header) }
        guard let header = RTPHeader.parse(packet) else { return }
        precondition(header.length <= bytes.count && header.extensionData.upperBound <= header.length)
        if let payload = header.payload(in: packet) {
            precondition(payload.lowerBound == header.length && payload.upperBound <= bytes.count)
        }
        checkExtension(header, packet)
        checkRetransmission(header, packet)

        var written: [UInt8] = []
        header.write(into: &written, hasExtension: false)
        let again = RTPHeader.parse(written.span.bytes)
        precondition(
            again?.marker == header.marker && again?.payloadType == header.payloadType
                && again?.sequence == header.sequence && again?.timestamp == header.timestamp
                && again?.ssrc == header.ssrc && again?.length == RTPHeader.fixedSize)
    }

    private static func checkFlexFEC(_ header: FlexFECHeader) {
        var written: [UInt8] = []
        header.write(into: &written)
        // The written header may be shorter than the parsed one, if the parsed mask ends in zeros.
        precondition(written.count == header.size && FlexFECHeader.parse(written.span.bytes) == header)
    }

    private static func checkExtension(_ header: RTPHeader, _ packet: RawSpan) {
        let elements = RTPHeaderExtension.elements(of: header, in: packet)
        for element in elements {
            guard let range = RTPHeaderExtension.find(id: element.id, of: header, in: packet) else {
                preconditionFailure("an element that is listed is not found")
            }
            precondition(range.upperBound <= header.extensionData.upperBound)
            checkValues(element.data.span.bytes)
        }
        var written: [UInt8] = []
        header.write(into: &written, hasExtension: true)
        RTPHeaderExtension.write(elements, into: &written)
        guard let again = RTPHeader.parse(written.span.bytes) else { preconditionFailure("own header not read") }
        precondition(RTPHeaderExtension.elements(of: again, in: written.span.bytes) == elements)
    }

    private static func checkValues(_ data: RawSpan) {
        checkValue(data, MediaIDExtension.self)
        checkValue(data, RestrictionIDExtension.self)
        checkValue(data, AbsoluteSendTime.self)
        checkValue(data, TransportSequence.self)
        checkValue(data, PlayoutDelay.self)
        checkValue(data, VideoOrientation.self)
        checkValue(data, AudioLevel.self)
        checkValue(data, RepairExtension.self)
        checkValue(data, DependencyDescriptor.self)
    }

    private static func checkValue<Value: RTPExtensionValue>(_ data: RawSpan, _ kind: Value.Type) {
        guard let value = Value(data: data) else { return }
        let written = value.element(id: 1).data
        precondition(Value(data: written.span.bytes) == value, "a value changed on its way")
    }

    private static func checkRetransmission(_ header: RTPHeader, _ packet: RawSpan) {
        guard let payload = header.payload(in: packet) else { return }
        if let found = Retransmission.split(payload, of: packet) {
            precondition(found.payload.upperBound == payload.upperBound, "an original's payload has another end")
            precondition(found.payload.count + Retransmission.overhead == payload.count)
        }
        guard var again = packet.bytes(at: 0, count: header.length),
            let bytes = packet.bytes(at: payload.lowerBound, count: payload.count)
        else { preconditionFailure("a packet is shorter than its payload") }
        Retransmission.append(original: header.sequence, to: &again)
        again += bytes
        let found = Retransmission.split(header.length..<again.count, of: again.span.bytes)
        guard let found, found.original == header.sequence else { preconditionFailure("nothing came back") }
        precondition(Array(again[found.payload]) == bytes)
    }

    private static func checkTiming(_ timing: FrameTimingExtension) {
        var written: [UInt8] = []
        timing.writeExtension(id: 1, into: &written)
        precondition(written.count == FrameTimingExtension.extensionSize)
        let data = 5..<5 + FrameTimingExtension.size
        precondition(FrameTimingExtension.parse(written.span.bytes.extracting(data)) == timing)
    }
}
