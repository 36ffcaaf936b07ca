import CYUV
import HelioCore

/// Scales BGRX pixels down, rectangle by rectangle: each pixel becomes the mean of the area that it covers.
///
/// Scaling a part gives the same pixels as scaling the whole picture. Used on the media thread only.
package final class PictureScaler {
    /// The size of the pictures to scale, in pixels.
    let source: PixelSize
    /// The number of lines that are scaled at a time: few enough to stay in the cache until they are converted.
    private static let linesAtOnce = 16

    private let columns: ScaleAxis
    private let rows: ScaleAxis
    private let isHalf: Bool
    private let usesAVX2: Bool
    private let line: UnsafeMutablePointer<UInt16>
    private let scaled: UnsafeMutablePointer<UInt8>
    private let stride: Int

    /// - Parameter target: not larger than `source` in either direction.
    init(from source: PixelSize, to target: PixelSize, allowVectors: Bool = true) {
        self.source = source
        columns = ScaleAxis(from: source.width, to: target.width)
        rows = ScaleAxis(from: source.height, to: target.height)
        isHalf = source.width == 2 * target.width && source.height == 2 * target.height
        usesAVX2 = allowVectors && helio_yuv_has_avx2() != 0
        line = .allocate(capacity: source.width * 4)
        stride = target.width * 4
        scaled = .allocate(capacity: stride * Self.linesAtOnce)
    }

    deinit {
        line.deallocate()
        scaled.deallocate()
    }

    /// Returns the part of the smaller picture that depends on a part of the larger one.
    func target(of rect: PixelRect) -> PixelRect {
        Self.rect(columns.targets(of: rect.x..<rect.maxX), rows.targets(of: rect.y..<rect.maxY))
    }

    /// Returns the part of the larger picture from which a part of the smaller one is computed.
    func source(of rect: PixelRect) -> PixelRect {
        Self.rect(columns.sources(of: rect.x..<rect.maxX), rows.sources(of: rect.y..<rect.maxY))
    }

    /// Computes a part of the smaller picture.
    ///
    /// - Parameters:
    ///   - pixels: the pixels of `source(of: rect)`.
    ///   - use: called with a few lines at a time: their rectangle in the smaller picture, their pixels, and the
    ///     distance of rows in bytes.
    func scale(
        _ pixels: UnsafePointer<UInt8>, stride: Int, to rect: PixelRect,
        use: (PixelRect, UnsafePointer<UInt8>, Int) -> Void
    ) {
        let origin = source(of: rect)
        var (across, down) = (columns.table, rows.table)
        for y in Swift.stride(from: rect.y, to: rect.maxY, by: Self.linesAtOnce) {
            let part = PixelRect(
                x: rect.x, y: y, width: rect.width, height: min(Self.linesAtOnce, rect.maxY - y))
            helio_scale(
                &across, &down, isHalf ? 1 : 0, usesAVX2 ? 1 : 0, pixels, stride, origin.x, origin.y, line, scaled,
                self.stride, part.x, part.y, part.width, part.height)
            use(part, scaled, self.stride)
        }
    }

    private static func rect(_ columns: Range<Int>, _ rows: Range<Int>) -> PixelRect {
        PixelRect(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }
}
