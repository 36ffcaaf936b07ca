package import HelioCore

/// The layout of the samples in a decoded buffer: a plane of luma and a plane of interleaved Cb and Cr, 8 bits each.
///
/// The range is that of the stream, so no sample is converted (requirements, defect 5); full range satisfies row 146.
package struct SampleFormat: Sendable, Hashable {
    package var chroma: ChromaSampling
    package var isFullRange: Bool

    package init(chroma: ChromaSampling, isFullRange: Bool) {
        self.chroma = chroma
        self.isFullRange = isFullRange
    }

    /// Returns the size of the chroma plane, in samples; for 4:2:0, odd sides are rounded up.
    package func chromaSize(of picture: PixelSize) -> PixelSize {
        switch chroma {
        case .yuv420: PixelSize(width: (picture.width + 1) / 2, height: (picture.height + 1) / 2)
        case .yuv444: picture
        }
    }

    /// Core Video's four-character code of the layout: `420v`, `420f`, `444v` or `444f`.
    package var code: UInt32 {
        switch (chroma, isFullRange) {
        case (.yuv420, false): 0x3432_3076
        case (.yuv420, true): 0x3432_3066
        case (.yuv444, false): 0x3434_3476
        case (.yuv444, true): 0x3434_3466
        }
    }

    /// Makes the layout of one of these four codes; `nil` for any other code.
    package init?(code: UInt32) {
        for chroma in ChromaSampling.allCases {
            for isFullRange in [false, true] {
                self.init(chroma: chroma, isFullRange: isFullRange)
                if self.code == code { return }
            }
        }
        return nil
    }
}
