import HelioCore
import HelioRTP
import Testing

struct GenericNACKTests {
    private func entries(_ lost: [UInt16]) -> [GenericNACK.Entry] {
        GenericNACK(sender: SSRC(1), media: SSRC(2), lost: lost).entries
    }

    static let packed: [([UInt16], [GenericNACK.Entry])] = [
        ([], []),
        ([7], [.init(packetID: 7, following: 0)]),
        ([7, 8], [.init(packetID: 7, following: 1)]),
        ([7, 23], [.init(packetID: 7, following: 0x8000)]),
        ([7, 24], [.init(packetID: 7, following: 0), .init(packetID: 24, following: 0)]),
        (Array(7...24), [.init(packetID: 7, following: 0xFFFF), .init(packetID: 24, following: 0)]),
        ([7, 7, 9], [.init(packetID: 7, following: 2)]),
        ([65535, 0, 15], [.init(packetID: 65535, following: 0x8001)]),
        ([65520, 0, 1], [.init(packetID: 65520, following: 0x8000), .init(packetID: 1, following: 0)]),
    ]

    @Test(arguments: packed)
    func packs(lost: [UInt16], expected: [GenericNACK.Entry]) {
        #expect(entries(lost) == expected)
    }

    /// Row 9: sequence numbers at various positions, also across the wrap.
    @Test(
        arguments: [UInt16(0), 1, 15, 16, 17, 32767, 32768, 65503, 65519, 65520, 65534, 65535],
        [1, 2, 3, 15, 16, 17, 40])
    func unpacksWhatWasPacked(start: UInt16, step: Int) {
        let lost = (0..<100).map { start &+ UInt16($0 * step) }
        #expect(GenericNACK(sender: SSRC(1), media: SSRC(2), lost: lost).lost == lost)
    }

    @Test func keepsWhatFits() {
        let lost = (0..<1000).map { UInt16($0 * 20) }
        #expect(GenericNACK(sender: SSRC(1), media: SSRC(2), lost: lost).lost == Array(lost[..<256]))
    }
}
