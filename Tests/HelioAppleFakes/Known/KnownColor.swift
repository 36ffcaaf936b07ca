package import HelioCore

/// An 8-bit RGB colour of a known picture.
package struct KnownColor: Sendable, Hashable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8

    package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// Y', Cb and Cr of the colour by ITU-T H.273 section 8.3, rounded. Implemented separately here, so that the
    /// library's conversion is not checked against itself.
    package func samples(_ description: ColorDescription) -> (luma: UInt8, cb: UInt8, cr: UInt8) {
        let (kr, kb) = description.matrix == 6 ? (0.299, 0.114) : (0.2126, 0.0722)
        let (r, g, b) = (Double(red) / 255, Double(green) / 255, Double(blue) / 255)
        let y = kr * r + (1 - kr - kb) * g + kb * b
        let (cb, cr) = ((b - y) / (2 * (1 - kb)), (r - y) / (2 * (1 - kr)))
        func byte(_ value: Double) -> UInt8 { UInt8(min(255, max(0, value.rounded()))) }
        return description.isFullRange
            ? (byte(255 * y), byte(255 * cb + 128), byte(255 * cr + 128))
            : (byte(219 * y + 16), byte(224 * cb + 128), byte(224 * cr + 128))
    }

    /// The largest difference over the channels, in steps of 1/255; `other` has a range of 0 ... 1.
    package func difference(from other: SIMD3<Double>) -> Double {
        let difference = other * 255 - SIMD3(Double(red), Double(green), Double(blue))
        return max(abs(difference.x), abs(difference.y), abs(difference.z))
    }
}
