import HelioBitstream
import HelioCore
import Testing

struct RepairMessageTests {
    /// The UUID: the ASCII bytes of "Heliograph repai".
    static let identifier = "48656C69 6F677261 70682072 65706169"

    private func find(_ stream: String) -> RepairMessage? {
        RepairMessage.find(inAnnexB: hex(stream).span.bytes, codec: .h264)
    }

    @Test func isUserDataOfH264() {
        var annexB: [UInt8] = []
        RepairMessage(back: 0x1234).write(into: &annexB, codec: .h264)
        #expect(annexB == hex("00000001 06 05 12" + Self.identifier + "1234 80"))
    }

    @Test(arguments: VideoCodec.allCases, [1, 2, 127, 255, 256, 768, .max] as [UInt16])
    func readsWhatWasWritten(codec: VideoCodec, back: UInt16) {
        var annexB = codec == .h264 ? hex("00000001 67 42 000001 68 CE") : hex("00000001 40 01 0C 000001 42 01 01")
        RepairMessage(back: back).write(into: &annexB, codec: codec)
        annexB += codec == .h264 ? hex("000001 41 9A 84") : hex("000001 02 01 AF")
        #expect(RepairMessage.find(inAnnexB: annexB.span.bytes, codec: codec) == RepairMessage(back: back))
    }

    /// The damage and repair messages parse in either order, in one NAL unit or two, and beside other bytes.
    @Test func standsBesideTheDamage() {
        let damage = DamageMessage(region: Region(PixelRect(x: 16, y: 32, width: 16, height: 16)), refinement: 3)
        let repair = RepairMessage(back: 9)
        var (first, second): ([UInt8], [UInt8]) = ([], [])
        damage.write(into: &first, codec: .h264)
        repair.write(into: &first, codec: .h264)
        repair.write(into: &second, codec: .h264)
        damage.write(into: &second, codec: .h264)
        let together = hex(
            "000001 06 05 1A" + DamageMessageTests.identifier + "03 01 0001 0002 0001 0001 05 12" + Self.identifier
                + "0009 80")
        for annexB in [first, second, together] {
            #expect(DamageMessage.find(inAnnexB: annexB.span.bytes, codec: .h264) == damage)
            #expect(RepairMessage.find(inAnnexB: annexB.span.bytes, codec: .h264) == repair)
        }
    }

    @Test(arguments: [
        "06 05 10 A1A2A3A4 A5A6A7A8 A9AAABAC ADAEAFB0", "06 01 FF 01" + String(repeating: "AB", count: 256),
    ])
    func passesOverOtherMessages(other: String) {
        let ours = "05 12" + Self.identifier + "0102 80"
        for stream in ["000001" + other + ours, "000001" + other + "80 000001 06" + ours] {
            #expect(find(stream) == RepairMessage(back: 0x102))
        }
    }

    @Test(arguments: [
        "",
        "000001 06",
        "000001 06 05 12" + identifier + "01",
        // Another UUID.
        "000001 06 05 12 48656C69 6F677261 70682072 65706168 0001 80",
        // Too short, too long, and without a distance.
        "000001 06 05 10" + identifier + "80",
        "000001 06 05 11" + identifier + "01 80",
        "000001 06 05 13" + identifier + "0001 01 80",
        "000001 06 05 12" + identifier + "0000 03 80",
        // After the first slice, and in a NAL unit of another type.
        "000001 41 9A 000001 06 05 12" + identifier + "0001 80",
        "000001 0C 05 12" + identifier + "0001 80",
    ])
    func findsNothingInWhatIsMalformed(stream: String) {
        #expect(find(stream) == nil)
    }
}
