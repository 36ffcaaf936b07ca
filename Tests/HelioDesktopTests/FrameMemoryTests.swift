import HelioCore
import Testing

@testable import HelioDesktop

/// The parts of a picture that are taken over, and those that count as changed.
@Suite("The copy of a stream's picture") struct FrameMemoryTests {
    /// A picture in rows that are 8 bytes longer than needed.
    private struct Picture {
        let size: PixelSize
        var bytes: [UInt8]
        var stride: Int { size.width * 4 + 8 }

        init(_ width: Int, _ height: Int) {
            size = PixelSize(width: width, height: height)
            bytes = [UInt8](repeating: 7, count: (width * 4 + 8) * height)
        }

        mutating func set(_ x: Int, _ y: Int) { bytes[y * stride + x * 4] ^= 0xFF }
    }

    private static func update(
        _ memory: inout FrameMemory, _ picture: Picture, isRGB: Bool = false, damage: [PixelRect]? = nil
    ) -> Region? {
        memory.update(
            from: picture.bytes, stride: picture.stride, size: picture.size, isRGB: isRGB, damage: damage)
    }

    private static func pixel(_ memory: borrowing FrameMemory, _ x: Int, _ y: Int) -> UInt8? {
        memory.pixels?[y * memory.stride + x * 4]
    }

    @Test("the first picture, another size and another format count as changed everywhere") func whole() {
        var memory = FrameMemory()
        #expect(Self.update(&memory, Picture(130, 40)) == nil)
        #expect(Self.update(&memory, Picture(130, 40)) == Region())
        #expect(Self.update(&memory, Picture(130, 41)) == nil)
        #expect(Self.update(&memory, Picture(130, 41), isRGB: true) == nil)
    }

    @Test("a change is where it is, to a tile") func change() {
        var memory = FrameMemory()
        var picture = Picture(200, 100)
        _ = Self.update(&memory, picture)
        picture.set(130, 50)
        #expect(Self.update(&memory, picture) == Region(PixelRect(x: 128, y: 48, width: 64, height: 16)))
        #expect(Self.pixel(memory, 130, 50) == UInt8(248))
        picture.set(199, 99)
        #expect(Self.update(&memory, picture) == Region(PixelRect(x: 192, y: 96, width: 8, height: 4)))
    }

    @Test("damage that the compositor tells is looked at alone, trimmed, and kept within the picture") func damage() {
        var memory = FrameMemory()
        var picture = Picture(200, 100)
        _ = Self.update(&memory, picture)
        picture.set(10, 10)
        picture.set(150, 80)
        let told = [PixelRect(x: 100, y: 60, width: 5000, height: 5000), PixelRect(x: -9, y: 70, width: 5, height: 5)]
        #expect(Self.update(&memory, picture, damage: told) == Region(PixelRect(x: 128, y: 80, width: 64, height: 16)))
        #expect(Self.pixel(memory, 10, 10) == 7)
        #expect(Self.update(&memory, picture) == Region(PixelRect(x: 0, y: 0, width: 64, height: 16)))
    }

    @Test("an odd side's last column and row are repeated") func odd() {
        var memory = FrameMemory()
        var picture = Picture(65, 33)
        _ = Self.update(&memory, picture)
        picture.set(64, 32)
        _ = Self.update(&memory, picture)
        for (x, y) in [(64, 32), (65, 32), (64, 33), (65, 33)] { #expect(Self.pixel(memory, x, y) == UInt8(248)) }
        #expect(Self.pixel(memory, 63, 33) == 7)
    }
}
