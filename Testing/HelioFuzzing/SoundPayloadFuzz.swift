import HelioBitstream
import HelioCore
import HelioRTP

/// Fuzzes the parsers of sound payloads: Opus, AAC and its configurations, L16 and G.711 samples, and redundancy.
package enum SoundPayloadFuzz {
    package static func run(_ bytes: [UInt8]) {
        let span = bytes.span.bytes
        if let packet = OpusPacket(span) {
            precondition(
                (1...48).contains(packet.frameCount) && (120...OpusPacket.maximumFrames).contains(packet.frames))
        }
        if let config = AudioSpecificConfig(bytes) {
            precondition(AudioSpecificConfig(config.bytes) == config, "configuration changed on its way")
        }
        checkSamples(span)
        checkRedundancy(span)
        for widths in [AACPayload.Widths.highBitrate, .lowBitrate] { checkAAC(span, widths) }
        collect(span, AACDepacketizer())
        collect(span, AACDepacketizer(subframes: 2))
        writeAAC(bytes)
        if let mux = StreamMuxConfig(bytes) { precondition((1...64).contains(mux.subframes)) }
        if !bytes.isEmpty {
            let element = LATMPayload.element(bytes)
            let units = try? LATMPayload.units(element.span.bytes, subframes: 1)
            precondition(units == [element.count - bytes.count..<element.count], "an element changed on its way")
        }
    }

    private static func checkSamples(_ span: RawSpan) {
        let samples = L16Payload.samples(span)
        var written: [UInt8] = []
        L16Payload.write(samples, into: &written)
        precondition(written == span.bytes(at: 0, count: span.byteCount / 2 * 2), "samples changed on their way")
        for law in G711Payload.Law.allCases {
            precondition(G711Payload.linear(span, law: law).count == span.byteCount * 2)
        }
    }

    private static func checkRedundancy(_ span: RawSpan) {
        guard let payload = RedundantPayload(span) else { return }
        var written: [UInt8] = []
        payload.write(into: &written)
        precondition(written.count == payload.size && written.count == span.byteCount)
        precondition(RedundantPayload(written.span.bytes) == payload, "redundancy changed on its way")
    }

    private static func checkAAC(_ span: RawSpan, _ widths: AACPayload.Widths) {
        guard let payload = try? AACPayload(span, widths: widths) else { return }
        var end = 0
        for unit in payload.units {
            precondition(unit.lowerBound >= end && !unit.isEmpty && unit.upperBound <= span.byteCount)
            end = unit.upperBound
        }
        precondition((1...AACPayload.maximumUnits).contains(payload.units.count))
        if let size = payload.wholeSize { precondition(payload.units.count == 1 && size > payload.units[0].count) }
    }

    /// Passes payloads to a depacketiser, each preceded by a byte with its length; the byte's bit 7 is the marker and
    /// bit 6 the timestamp.
    private static func collect(_ span: RawSpan, _ empty: AACDepacketizer) {
        var depacketizer = empty
        var offset = 0
        while let head = span.uint8(at: offset) {
            let end = min(offset + 1 + Int(head & 0x3F), span.byteCount)
            let payload = span.extracting(offset + 1..<end)
            offset = end
            let units = try? depacketizer.take(payload, timestamp: UInt32(head >> 6 & 1), marker: head & 0x80 != 0)
            for unit in units ?? [] { precondition((1...8191).contains(unit.count)) }
        }
    }

    private static func writeAAC(_ bytes: [UInt8]) {
        guard let payloads = AACPayload.write(bytes, limit: 100) else {
            precondition(bytes.isEmpty || bytes.count > 8191)
            return
        }
        var depacketizer = AACDepacketizer()
        for (index, payload) in payloads.enumerated() {
            let isLast = index == payloads.count - 1
            precondition(payload.count <= 100)
            let units = try? depacketizer.take(payload.span.bytes, timestamp: 1, marker: isLast)
            precondition(units == (isLast ? [bytes] : []), "a unit changed on its way")
        }
    }
}
