import HelioCore
import HelioRTP
import Testing

@Suite("Payloads of samples")
struct SamplePayloadTests {
    /// The first packet's payload of `audiotestsrc ! audio/x-raw,rate=48000,channels=2 ! rtpL16pay` (GStreamer 1.22.0).
    @Test func readsAndWritesWhatGStreamerDoes() {
        let payload = hex("05e505e5 0bc50bc5 119b119b 17621762")
        let samples = L16Payload.samples(payload.span.bytes)
        #expect(samples == [0x05E5, 0x05E5, 0x0BC5, 0x0BC5, 0x119B, 0x119B, 0x1762, 0x1762].map { Float($0) / 32768 })
        var written: [UInt8] = []
        L16Payload.write(samples, into: &written)
        #expect(written == payload)
        #expect(L16Payload.frames(bytes: payload.count, channels: 2) == 4)
    }

    @Test func everySampleComesBack() {
        let all = (Int16.min ... .max).map { Float($0) / 32768 }
        var written: [UInt8] = []
        L16Payload.write(all, into: &written)
        #expect(L16Payload.samples(written.span.bytes) == all)
    }

    @Test(
        arguments: [
            (1, "7FFF"), (-1, "8000"), (7, "7FFF"), (-7, "8000"), (.infinity, "7FFF"), (-.infinity, "8000"),
            (.nan, "0000"), (0.00001, "0000"), (0.00002, "0001"),
        ] as [(Float, String)])
    func clips(sample: Float, expected: String) {
        var written: [UInt8] = []
        L16Payload.write([sample], into: &written)
        #expect(written == hex(expected))
    }

    @Test(arguments: [(0, 2, 0), (4, 2, 1), (2, 1, 1), (2, 2, nil), (3, 1, nil), (5, 2, nil)] as [(Int, Int, Int?)])
    func wholeFrames(bytes: Int, channels: Int, frames: Int?) {
        #expect(L16Payload.frames(bytes: bytes, channels: channels) == frames)
    }

    @Test func aByteLeftOverCountsForNothing() {
        let payload = hex("8000 7F")
        #expect(L16Payload.samples(payload.span.bytes) == [-1])
        #expect(L16Payload.samples([UInt8]().span.bytes) == [])
    }

    /// Samples of both laws as decoded by FFmpeg 5.1.9: `ffmpeg -f mulaw -ar 8000 -i all -f s16be -` of the bytes 0 to
    /// 255; here every sixteenth.
    @Test(arguments: [
        (
            G711Payload.Law.mu,
            "8284 c184 e104 f0c4 f8a4 fc94 fe8c ff88 7d7c 3e7c 1efc 0f3c 075c 036c 0174 0078"
        ),
        (
            .a,
            "ea80 f540 aa00 d500 fea8 ffa8 faa0 fd50 1580 0ac0 5600 2b00 0158 0058 0560 02b0"
        ),
    ])
    func decodesG711(law: G711Payload.Law, expected: String) {
        let codes = (0..<16).map { UInt8($0 * 16) }
        #expect(G711Payload.linear(codes.span.bytes, law: law) == hex(expected))
        // Each magnitude has exactly two codes, one for each sign.
        let all = (UInt8.min ... .max).map { G711Payload.sample($0, law: law) }
        #expect(Set(all.map(\.magnitude)).count == 128)
        #expect(all.map(Int.init).reduce(0, +) == 0)
    }
}
