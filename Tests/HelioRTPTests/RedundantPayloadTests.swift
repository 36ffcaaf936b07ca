import HelioCore
import HelioRTP
import Testing

struct RedundantPayloadTests {
    private func parse(_ bytes: [UInt8]) -> RedundantPayload? { RedundantPayload(bytes.span.bytes) }
    private let opus = PayloadType(96)

    /// `audiotestsrc ! audio/x-raw,rate=48000,channels=1 ! opusenc frame-size=2.5 bitrate=16000 ! rtpopuspay pt=96 !
    /// rtpredenc distance=1 allow-no-red-blocks=true` (GStreamer 1.22.0): payloads of three packets.
    @Test func readsAndWritesWhatGStreamerDoes() {
        let vectors = [
            ("60 e0fffe", RedundantPayload(opus, payload: hex("e0fffe"))),
            (
                "e001e006 60 e03679aff700 e03d1185ae45",
                RedundantPayload(
                    opus, payload: hex("e03d1185ae45"),
                    earlier: [.init(opus, timestampOffset: 120, payload: hex("e03679aff700"))])
            ),
            (
                "e001e006 60 e00fda2de76e e021e690585c",
                RedundantPayload(
                    opus, payload: hex("e021e690585c"),
                    earlier: [.init(opus, timestampOffset: 120, payload: hex("e00fda2de76e"))])
            ),
        ]
        for (text, payload) in vectors {
            #expect(parse(hex(text)) == payload)
            var written: [UInt8] = []
            payload.write(into: &written)
            #expect(written == hex(text))
            #expect(payload.size == written.count)
        }
    }

    /// Two redundant blocks as in the packet of RFC 2198 section 3, with the largest offsets and lengths.
    @Test func severalGenerations() {
        let payload = RedundantPayload(
            PayloadType(5), payload: [9],
            earlier: [
                .init(PayloadType(7), timestampOffset: 0x3FFF, payload: [UInt8](repeating: 1, count: 1023)),
                .init(PayloadType(127), timestampOffset: 0, payload: []),
            ])
        var written: [UInt8] = []
        payload.write(into: &written)
        #expect(Array(written.prefix(9)) == hex("87FFFFFF FF000000 05"))
        #expect(parse(written) == payload)
    }

    @Test func leavesOutWhatHasNoRoom() {
        let tooOld = RedundantPayload.Block(opus, timestampOffset: 0x4000, payload: [1])
        let tooLong = RedundantPayload.Block(opus, timestampOffset: 1, payload: [UInt8](repeating: 1, count: 1024))
        #expect(RedundantPayload(opus, payload: [2], earlier: [tooOld, tooLong]).earlier.isEmpty)
        let many = (0..<20).map { RedundantPayload.Block(opus, timestampOffset: UInt16(20 - $0), payload: []) }
        #expect(RedundantPayload(opus, payload: [2], earlier: many).earlier == Array(many.suffix(16)))
    }

    @Test(arguments: [
        ("nothing", ""), ("a header cut", "E0 01 E0"), ("no header of the packet itself", "E0 01 E0 06"),
        ("a block past the end", "E0 01 E0 06 60 01 02"), ("headers without end", "FF FF FF FF FF FF FF FF"),
        ("17 blocks", String(repeating: "E0000000", count: 17) + "60"),
    ])
    func refused(name: String, text: String) {
        #expect(parse(hex(text)) == nil)
    }

    @Test func aPayloadMayBeEmpty() {
        #expect(parse(hex("60")) == RedundantPayload(opus, payload: []))
        #expect(parse(hex(String(repeating: "E0000000", count: 16) + "60"))?.earlier.count == 16)
    }
}
