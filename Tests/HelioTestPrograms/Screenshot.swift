import Foundation
package import HelioCore

/// The pixels of a screen.
package struct Screenshot {
    package var size: PixelSize
    /// The pixels, four bytes each.
    package var bgrx: [UInt8]

    package init(size: PixelSize, bgrx: [UInt8]) {
        self.size = size
        self.bgrx = bgrx
    }

    package func color(x: Int, y: Int) -> (red: Int, green: Int, blue: Int) {
        let i = (y * size.width + x) * 4
        return (Int(bgrx[i + 2]), Int(bgrx[i + 1]), Int(bgrx[i]))
    }

    /// The peak signal-to-noise ratio over red, green and blue in dB; 100 if identical.
    package func psnr(_ other: Screenshot) -> Double {
        var sum = 0
        bgrx.withUnsafeBufferPointer { a in
            other.bgrx.withUnsafeBufferPointer { b in
                // Unrolled, since a loop over the channels would take most of the time in a debug build.
                var i = 0
                while i < a.count {
                    let blue = Int(a[i]) &- Int(b[i])
                    let green = Int(a[i &+ 1]) &- Int(b[i &+ 1])
                    let red = Int(a[i &+ 2]) &- Int(b[i &+ 2])
                    sum &+= blue &* blue &+ green &* green &+ red &* red
                    i &+= 4
                }
            }
        }
        if sum == 0 { return 100 }
        return 10 * log10(65_025 * Double(size.area * 3) / Double(sum))
    }
}
