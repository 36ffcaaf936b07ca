import HelioBitstream
import HelioCore
import Testing

struct DamageMessageTests {
    static let identifier = "83095b50 d9bc4cb2 bbd56b96 8da05f6e"

    private func region(_ rects: (x: Int, y: Int, width: Int, height: Int)...) -> Region {
        var region = Region()
        for rect in rects { region.add(PixelRect(x: rect.x, y: rect.y, width: rect.width, height: rect.height)) }
        return region
    }

    @Test func isUserDataOfH264() {
        let message = DamageMessage(region: region((16, 32, 48, 64)), refinement: 2)
        var annexB: [UInt8] = []
        message.write(into: &annexB, codec: .h264)
        #expect(annexB == hex("00000001 06 05 1A" + Self.identifier + "02 01 0001 0002 0003 0004 80"))
    }

    @Test func isAPrefixMessageOfH265WithEmulationPrevention() {
        let message = DamageMessage(region: region((0, 0, 16, 16)))
        var annexB: [UInt8] = []
        message.write(into: &annexB, codec: .h265)
        #expect(
            annexB == hex("00000001 4E01 05 1A" + Self.identifier + "00 01 0000 03 0000 03 0001 0001 80"))
    }

    @Test(arguments: VideoCodec.allCases, 0...Region.limit)
    func readsWhatWasWritten(codec: VideoCodec, count: Int) {
        var message = DamageMessage(region: Region(), refinement: UInt8(count * 31))
        for i in 0..<count {
            message.region.add(PixelRect(x: i * 256, y: i * 512, width: 16 * (i + 1), height: 32))
        }
        #expect(message.region.rects.count == count)
        var annexB = codec == .h264 ? hex("00000001 67 42 000001 68 CE") : hex("00000001 40 01 0C 000001 42 01 01")
        message.write(into: &annexB, codec: codec)
        annexB += codec == .h264 ? hex("000001 65 88 84") : hex("000001 28 01 AF")
        #expect(DamageMessage.find(inAnnexB: annexB.span.bytes, codec: codec) == message)
    }

    @Test func growsToWholeUnits() {
        var annexB: [UInt8] = []
        DamageMessage(region: region((17, 31, 16, 2))).write(into: &annexB, codec: .h264)
        let found = DamageMessage.find(inAnnexB: annexB.span.bytes, codec: .h264)
        #expect(found?.region == region((16, 16, 32, 32)))
    }

    @Test func holdsTheLargestPictures() {
        var annexB: [UInt8] = []
        DamageMessage(region: region((-5, -5, 1 << 40, 1 << 40))).write(into: &annexB, codec: .h264)
        let found = DamageMessage.find(inAnnexB: annexB.span.bytes, codec: .h264)
        #expect(found?.region == region((0, 0, 65535 * 16, 65535 * 16)))
    }

    /// An encoder's own SEI message before it, in the same NAL unit or a separate one.
    @Test(arguments: [
        "06 05 10 A1A2A3A4 A5A6A7A8 A9AAABAC ADAEAFB0", "06 01 FF 01" + String(repeating: "AB", count: 256),
    ])
    func passesOverOtherMessages(other: String) {
        let ours = "05 12" + Self.identifier + "07 00 80"
        for stream in ["000001" + other + ours, "000001" + other + "80 000001 06" + ours] {
            let found = DamageMessage.find(inAnnexB: hex(stream).span.bytes, codec: .h264)
            #expect(found == DamageMessage(region: Region(), refinement: 7))
        }
    }

    @Test(arguments: [
        "",
        "000001 06",
        "000001 06 05",
        "000001 06 05 12 80",
        "000001 06 FF FF FF FF FF FF FF FF",
        "000001 06 05 12" + identifier + "07",
        // Another UUID.
        "000001 06 05 12 82095b50d9bc4cb2bbd56b968da05f6e 07 00 80",
        // A count without its rectangles, rectangles without their count, one too many.
        "000001 06 05 12" + identifier + "07 01 80",
        "000001 06 05 1A" + identifier + "07 00 0001 0001 0001 0001 80",
        "000001 06 05 5A" + identifier + "07 09" + String(repeating: "0001", count: 36) + "80",
        // An empty rectangle.
        "000001 06 05 1A" + identifier + "07 01 0001 0001 0001 0000 03 80",
        // After the first slice, and in a NAL unit of another type.
        "000001 65 88 000001 06 05 12" + identifier + "07 00 80",
        "000001 0C 05 12" + identifier + "07 00 80",
    ])
    func findsNothingInWhatIsMalformed(stream: String) {
        #expect(DamageMessage.find(inAnnexB: hex(stream).span.bytes, codec: .h264) == nil)
    }
}
