import HelioCore
import Testing

@testable import HelioLinuxSource

@Suite struct X11PixelFormatTests {
    private static let bgrx = (0xFF_0000, 0xFF00, 0xFF) as (UInt32, UInt32, UInt32)

    @Test("a pixel's bytes become blue, green and red, in whatever form they come")
    func converts() throws {
        let forms: [(bits: Int, isLittle: Bool, masks: (UInt32, UInt32, UInt32), bytes: [UInt8], bgr: [UInt8])] = [
            (32, true, Self.bgrx, [1, 2, 3, 9], [1, 2, 3]),
            (32, false, Self.bgrx, [9, 3, 2, 1], [1, 2, 3]),
            (24, true, Self.bgrx, [1, 2, 3], [1, 2, 3]),
            (24, false, Self.bgrx, [3, 2, 1], [1, 2, 3]),
            // Red is first in memory.
            (32, true, (0xFF, 0xFF00, 0xFF_0000), [3, 2, 1, 0], [1, 2, 3]),
            // Ten bits each: all of red, half of green, none of blue.
            (32, true, (0x3FF0_0000, 0xF_FC00, 0x3FF), [0x00, 0x00, 0xF8, 0x3F], [0, 128, 255]),
            (16, true, (0xF800, 0x7E0, 0x1F), [0xFF, 0xFF], [255, 255, 255]),
            (16, true, (0xF800, 0x7E0, 0x1F), [0x00, 0xF8], [0, 0, 255]),
            (16, false, (0x7C00, 0x3E0, 0x1F), [0x7C, 0x1F], [255, 0, 255]),
        ]
        for form in forms {
            let format = try #require(
                X11PixelFormat(
                    depth: 24, bitsPerPixel: form.bits, rowBits: 32, isLittleEndian: form.isLittle, masks: form.masks))
            // Two rows of one pixel.
            let stride = format.rowBytes(1)
            #expect(stride == 4)
            let row = form.bytes + Array(repeating: 0xEE, count: stride - form.bytes.count)
            var target = [UInt8](repeating: 7, count: 8)
            format.convert(row + row, stride: stride, width: 1, height: 2, to: &target, targetStride: 4)
            #expect(Array(target[..<3]) == form.bgr && Array(target[4..<7]) == form.bgr, "\(form)")
        }
    }

    @Test("forms that can't be converted are refused")
    func refuses() {
        let forms: [(bits: Int, masks: (UInt32, UInt32, UInt32))] = [
            (8, (0xE0, 0x1C, 0x03)), (32, (0, 0, 0)), (32, (0xFF_0000, 0xFF00, 0)), (32, (0xF0F0, 0xF00, 0xF)),
            (32, (0x1FFF_0000, 0xFF00, 0xFF)),
        ]
        for form in forms {
            let format = X11PixelFormat(
                depth: 24, bitsPerPixel: form.bits, rowBits: 32, isLittleEndian: true, masks: form.masks)
            #expect(format.map(\.depth) == nil, "\(form)")
        }
    }
}
