package import HelioAppleMedia
package import HelioCore

/// A picture in plain memory with a layout of Core Video: a luma plane and a plane of interleaved Cb and Cr, or BGRA.
/// Rows are longer than the picture is wide.
///
/// `@unchecked Sendable`: only its creator writes to it, and only before passing it on.
package final class FakePixels: PictureBuffer, @unchecked Sendable {
    package enum Layout: Sendable, Hashable {
        case planes(SampleFormat)
        case bgra
    }

    package let size: PixelSize
    package let layout: Layout
    /// The first row of luma, or of 4-byte BGRA pixels.
    package let first: UnsafeMutablePointer<UInt8>
    package let firstStride: Int
    /// The first row of chroma; for BGRA, the end of the memory.
    package let chroma: UnsafeMutablePointer<UInt8>
    package let chromaStride: Int
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    /// Makes a picture with all bytes zero.
    package init(_ size: PixelSize, _ layout: Layout) {
        self.size = size
        self.layout = layout
        func padded(_ bytes: Int) -> Int { (bytes + 63) & ~63 + 64 }
        let chromaSize: PixelSize
        switch layout {
        case .planes(let samples):
            firstStride = padded(size.width)
            chromaSize = samples.chromaSize(of: size)
        case .bgra:
            firstStride = padded(size.width * 4)
            chromaSize = PixelSize(width: 0, height: 0)
        }
        chromaStride = padded(chromaSize.width * 2)
        bytes = .allocate(capacity: firstStride * size.height + chromaStride * chromaSize.height + 64)
        bytes.initialize(repeating: 0)
        guard let base = bytes.baseAddress else { preconditionFailure("memory that was just allocated") }
        first = base
        chroma = base + firstStride * size.height
    }

    /// Makes a copy of another picture.
    package convenience init(_ other: FakePixels) {
        self.init(other.size, other.layout)
        _ = bytes.update(from: UnsafeBufferPointer(other.bytes))
    }

    deinit { bytes.deallocate() }

    package var samples: SampleFormat? {
        if case .planes(let samples) = layout { samples } else { nil }
    }

    package func meanLuma(everyRow step: Int) -> Double {
        var sum = 0
        var rows = 0
        for y in stride(from: 0, to: size.height, by: max(1, step)) {
            for x in 0..<size.width { sum += Int(first[y * firstStride + x]) }
            rows += 1
        }
        return Double(sum) / Double(max(1, rows * size.width))
    }
}
