import Foundation
package import HelioCore

/// The pixels of a screen.
package struct Screenshot {
    package var size: PixelSize
    /// Four bytes a pixel.
    package var bgrx: [UInt8]

    package init(size: PixelSize, bgrx: [UInt8]) {
        self.size = size
        self.bgrx = bgrx
    }

    package func color(x: Int, y: Int) -> (red: Int, green: Int, blue: Int) {
        let i = (y * size.width + x) * 4
        return (Int(bgrx[i + 2]), Int(bgrx[i + 1]), Int(bgrx[i]))
    }

    /// Peak signal to noise over red, green and blue, dB; 100 where identical.
    package func psnr(_ other: Screenshot) -> Double {
        var sum = 0
        bgrx.withUnsafeBufferPointer { a in
            other.bgrx.withUnsafeBufferPointer { b in
                // Without a loop over the channels: in a build for tests that takes most of the time.
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
