/// A format of pixels in shared memory: integers of 3 or 4 bytes, little-endian, with masks that select red, green and
/// blue.
package struct ShmFormat: Sendable, Hashable {
    package let bytesPerPixel: Int
    /// The bits of colour per pixel.
    package let depth: UInt8
    package let red, green, blue: UInt32

    /// True if pixels are B, G, R, X bytes, which need no conversion.
    package var isBGRX: Bool { bytesPerPixel == 4 && (red, green, blue) == (0xFF0000, 0xFF00, 0xFF) }

    /// Makes the format of a number; `nil` if it is not supported.
    ///
    /// - Parameter code: as in `wl_shm.format`: 0 and 1, and DRM's codes of four characters (drm_fourcc.h).
    package init?(code: UInt32) {
        switch code {
        // ARGB8888, XRGB8888.
        case 0, 1: self.init(4, 24, 0xFF0000, 0xFF00, 0xFF)
        case Self.code("AB24"), Self.code("XB24"): self.init(4, 24, 0xFF, 0xFF00, 0xFF0000)
        case Self.code("RA24"), Self.code("RX24"): self.init(4, 24, 0xFF00_0000, 0xFF0000, 0xFF00)
        case Self.code("BA24"), Self.code("BX24"): self.init(4, 24, 0xFF00, 0xFF0000, 0xFF00_0000)
        case Self.code("AR30"), Self.code("XR30"): self.init(4, 30, 0x3FF0_0000, 0xFFC00, 0x3FF)
        case Self.code("AB30"), Self.code("XB30"): self.init(4, 30, 0x3FF, 0xFFC00, 0x3FF0_0000)
        case Self.code("RG24"): self.init(3, 24, 0xFF0000, 0xFF00, 0xFF)
        case Self.code("BG24"): self.init(3, 24, 0xFF, 0xFF00, 0xFF0000)
        default: return nil
        }
    }

    /// The numbers of the formats that a picture may have, the best first: those that need no conversion, then those
    /// whose bytes only change places.
    static let codes: [UInt32] =
        [1, 0]
        + ["XB24", "AB24", "RX24", "RA24", "BX24", "BA24", "XR30", "AR30", "XB30", "AB30", "RG24", "BG24"].map(code)
    /// The numbers of formats with an alpha channel in the highest 8 of 32 bits.
    static let codesWithAlpha: [UInt32] = [0, code("AB24")]

    private init(_ bytesPerPixel: Int, _ depth: UInt8, _ red: UInt32, _ green: UInt32, _ blue: UInt32) {
        self.bytesPerPixel = bytesPerPixel
        self.depth = depth
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    private static func code(_ text: StaticString) -> UInt32 {
        text.withUTF8Buffer { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
    }
}
