import HelioBitstream
import HelioCore
import HelioRTP
import Testing

/// Slices get new frame numbers within their RTP payloads.
@Suite("Slices in payloads") struct SlicePayloadTests {
    private static let bits = 12
    private static let reader = SlicePayload(SliceNumber(bits: bits))

    /// Returns an access unit whose slices need emulation prevention at times, also right behind the frame number.
    private static func unit(_ number: Int, slices: Int, bytes: Int, seed: UInt64) -> PacketizedSlice {
        var random = SeededGenerator(seed: seed)
        var annexB: [UInt8] = [0, 0, 0, 1, 6, 5, 1, 7, 0x80]
        for index in 0..<slices {
            var writer = BitWriter()
            for value: UInt32 in [UInt32(index) * 3, 5, 0] { writer.unsigned(value) }
            writer.bits(UInt32(number), bits)
            for _ in 0..<bytes { writer.bits(.random(in: 0...3, using: &random) & 1, 8) }
            writer.finish(header: [0x41], into: &annexB)
        }
        let slice = EncodedSlice(
            frameIndex: 0, annexB: annexB, isFirst: true, isLast: true, isKeyframe: false,
            timing: FrameTiming(damaged: .zero, captured: .zero))
        return PacketizedSlice(slice, codec: .h264, largestPayload: 1000)
    }

    /// Returns the NAL units of payloads: single, aggregated, or fragmented.
    private static func units(_ payloads: [[UInt8]]) -> [[UInt8]] {
        var units: [[UInt8]] = []
        for payload in payloads {
            switch payload[0] & 0x1F {
            case 24:
                var offset = 1
                while offset < payload.count {
                    let size = Int(payload[offset]) << 8 | Int(payload[offset + 1])
                    units.append(Array(payload[offset + 2..<offset + 2 + size]))
                    offset += 2 + size
                }
            case 28:
                if payload[1] & 0x80 != 0 { units.append([payload[0] & 0xE0 | payload[1] & 0x1F]) }
                units[units.count - 1] += payload[2...]
            default: units.append(payload)
            }
        }
        return units
    }

    @Test(
        "the number is another, and all else is as it was", arguments: [(1, 60), (2, 60), (1, 2500), (3, 1500)],
        1...40 as ClosedRange<UInt64>)
    func rewritten(form: (slices: Int, bytes: Int), seed: UInt64) {
        var random = SeededGenerator(seed: seed + 1000)
        // Frame numbers with zero bytes, which may need emulation prevention.
        let number = Int.random(in: 0..<16, using: &random) << Int.random(in: 0...8, using: &random)
        let less = Int.random(in: 1..<4096, using: &random)
        let original = Self.unit(number, slices: form.slices, bytes: form.bytes, seed: seed)
        let wanted = (number - less + 4096) % 4096
        let other = Self.unit(wanted, slices: form.slices, bytes: form.bytes, seed: seed)
        var changed = 0
        let payloads = original.payloads.map { payload -> [UInt8] in
            let bytes = original.bytes.span.bytes.extracting(payload.range)
            let rewritten = Self.reader.rewritten(bytes, less: less)
            #expect((rewritten == nil) == (Self.reader.read(bytes) == nil))
            if let rewritten {
                changed += 1
                #expect(Self.reader.read(rewritten.span.bytes) == wanted)
            }
            return rewritten ?? Array(original.bytes[payload.range])
        }
        #expect(changed > 0)
        #expect(Self.units(payloads) == Self.units(other.payloads.map { Array(other.bytes[$0.range]) }))
    }

    @Test(
        "what begins no slice, or ends within one, has no number",
        arguments: [
            [], [1], [0x41], [0x41, 0x80], [0x67, 0x42, 0xC0], [0x06, 5, 1, 7, 0x80], [0x78], [0x78, 0, 9, 0x41],
            [0x5C], [0x5C, 0x01, 0x80, 0x80, 0x80], [0x5C, 0x81], [0x5C, 0x87, 0x80, 0x80, 0x80],
        ] as [[UInt8]])
    func none(payload: [UInt8]) {
        #expect(Self.reader.read(payload.span.bytes) == nil)
        #expect(Self.reader.rewritten(payload.span.bytes, less: 1) == nil)
    }
}
