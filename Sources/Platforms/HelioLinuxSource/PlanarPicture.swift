import CYUV
package import HelioCore

/// A picture in the encoder's format, and which of its macroblocks have changed since it was last coded.
///
/// 8 bits a sample. 4:2:0 is kept as x264, VA-API and NVENC have it inside: a plane of Y' and a plane of
/// Cb and Cr by turns (NV12), each chroma sample the mean of 2x2 pixels, sited in their centre. 4:4:4 has
/// three planes. Rows start on 64 bytes; planes are padded to whole macroblocks with copies of the edge.
/// Belongs to the media thread.
package final class PlanarPicture {
    package let size: PixelSize
    package let chroma: ChromaSampling
    package let color: ColorDescription
    package let lumaStride: Int
    package let chromaStride: Int
    /// Size in macroblocks.
    package let mbWidth: Int
    package let mbHeight: Int

    package let luma: UnsafeMutablePointer<UInt8>
    /// Cb and Cr by turns in 4:2:0, Cb in 4:4:4.
    package let chroma0: UnsafeMutablePointer<UInt8>
    /// Cr in 4:4:4; equal to `chroma0` in 4:2:0.
    package let chroma1: UnsafeMutablePointer<UInt8>
    /// One byte a macroblock: 1 (x264's `X264_MBINFO_CONSTANT`) where nothing changed since `markCoded`.
    let unchanged: UnsafeMutablePointer<UInt8>

    /// Makes this picture's size of what is captured; `nil` where that has the same.
    let scaler: PictureScaler?

    private let matrix: YUVMatrix
    private let usesAVX2: Bool
    private let storage: UnsafeMutableRawPointer

    /// All black and all changed.
    ///
    /// - Parameter source: the size of what goes in by `take`, not smaller; `nil` = the same.
    package init(
        size: PixelSize, of source: PixelSize? = nil, chroma: ChromaSampling, color: ColorDescription,
        allowVectors: Bool = true
    ) throws(HelioError) {
        guard size.width >= 16, size.height >= 16, size.width % 2 == 0, size.height % 2 == 0,
            size.width <= 16384, size.height <= 16384
        else {
            throw HelioError(.invalidArgument, "A picture of \(size) can't be coded: sizes are even and at least 16.")
        }
        self.size = size
        scaler = source.flatMap { $0 == size ? nil : PictureScaler(from: $0, to: size, allowVectors: allowVectors) }
        self.chroma = chroma
        self.color = color
        matrix = try YUVMatrix(color)
        usesAVX2 = allowVectors && helio_yuv_has_avx2() != 0
        mbWidth = (size.width + 15) / 16
        mbHeight = (size.height + 15) / 16
        lumaStride = (size.width + 63) & ~63
        chromaStride = lumaStride
        let lumaBytes = lumaStride * mbHeight * 16
        let chromaBytes = chroma == .yuv420 ? lumaBytes / 2 : lumaBytes
        let planes = chroma == .yuv420 ? 1 : 2
        let total = lumaBytes + chromaBytes * planes + mbWidth * mbHeight
        storage = .allocate(byteCount: total + 64, alignment: 64)
        luma = storage.bindMemory(to: UInt8.self, capacity: total + 64)
        chroma0 = luma + lumaBytes
        chroma1 = chroma == .yuv420 ? chroma0 : chroma0 + chromaBytes
        unchanged = chroma0 + chromaBytes * planes
        luma.update(repeating: color.isFullRange ? 0 : 16, count: lumaBytes)
        chroma0.update(repeating: 128, count: chromaBytes * planes)
        unchanged.update(repeating: 0, count: mbWidth * mbHeight)
    }

    deinit { storage.deallocate() }

    /// Everything counts as changed.
    package func markAllChanged() {
        unchanged.update(repeating: 0, count: mbWidth * mbHeight)
    }

    /// The picture is now known to the other side.
    func markCoded() {
        unchanged.update(repeating: 1, count: mbWidth * mbHeight)
    }

    /// The size of what goes in by `take`.
    var sourceSize: PixelSize { scaler?.source ?? size }

    /// Scales and converts BGRX pixels of the source to `rect` of this picture.
    ///
    /// - Parameter pixels: those of `rect` itself; with a scaler, those of its `source(of: rect)`.
    func take(_ pixels: UnsafePointer<UInt8>, stride: Int, to rect: PixelRect) {
        guard let scaler else { return convert(pixels, stride: stride, to: rect) }
        scaler.scale(pixels, stride: stride, to: rect) { convert($1, stride: $2, to: $0) }
    }

    /// Converts a rectangle of BGRX pixels to (`rect.x`, `rect.y`); marks the macroblocks that really change.
    ///
    /// - Parameter rect: even in all four numbers and inside the picture.
    package func convert(_ source: UnsafePointer<UInt8>, stride: Int, to rect: PixelRect) {
        precondition(PixelRect(size).contains(rect) && (rect.x | rect.y | rect.width | rect.height) & 1 == 0)
        var m = matrix.coefficients
        var target = helio_yuv_target(
            y: luma, cb: chroma0, cr: chroma1, y_stride: lumaStride, c_stride: chromaStride, unchanged: unchanged,
            mb_stride: mbWidth)
        helio_yuv_convert(
            &m, chroma == .yuv444 ? 1 : 0, usesAVX2 ? 1 : 0, source, stride, &target, rect.x, rect.y, rect.width,
            rect.height)
        padEdges(rect)
    }

    /// The rectangle of macroblocks inside `rect` that changed, in pixels; empty when none did.
    func changedBounds(in rect: PixelRect) -> PixelRect {
        let blocks = rect.aligned(to: 16)
        var found = PixelRect(x: 0, y: 0, width: 0, height: 0)
        let x0 = blocks.x / 16
        let x1 = min(blocks.maxX / 16, mbWidth)
        for y in blocks.y / 16..<min(blocks.maxY / 16, mbHeight) {
            guard let (first, last) = changedColumns(ofRow: y, in: x0..<x1) else { continue }
            found = found.union(PixelRect(x: first * 16, y: y * 16, width: (last - first + 1) * 16, height: 16))
        }
        return found.intersection(PixelRect(size))
    }

    /// All that changed, in pixels and whole macroblocks, row by row.
    var changedRegion: Region {
        var region = Region()
        for y in 0..<mbHeight {
            region.add(changedBounds(in: PixelRect(x: 0, y: y * 16, width: size.width, height: 16)))
        }
        return region
    }

    /// The first and the last macroblock of a row that has changed.
    ///
    /// - Parameter columns: where to look; `nil` = the whole row.
    func changedColumns(ofRow y: Int, in columns: Range<Int>? = nil) -> (first: Int, last: Int)? {
        let row = unchanged + y * mbWidth
        let columns = columns ?? 0..<mbWidth
        guard let first = columns.first(where: { row[$0] == 0 }), let last = columns.last(where: { row[$0] == 0 })
        else { return nil }
        return (first, last)
    }

    /// Luma first; of 4:2:0 there are two.
    var planes: [SamplePlane] {
        let first = SamplePlane(bytes: luma, stride: lumaStride, lines: 16)
        if chroma == .yuv420 { return [first, SamplePlane(bytes: chroma0, stride: chromaStride, lines: 8)] }
        return [first] + [chroma0, chroma1].map { SamplePlane(bytes: $0, stride: chromaStride, lines: 16) }
    }

    /// How many macroblocks have changed.
    var changedCount: Int {
        var count = 0
        for i in 0..<mbWidth * mbHeight { count &+= Int(1 &- unchanged[i]) }
        return count
    }

    /// Copies the last column and row into the padding up to whole macroblocks.
    private func padEdges(_ rect: PixelRect) {
        if rect.maxX == size.width, size.width % 16 != 0 {
            let pad = mbWidth * 16 - size.width
            for y in rect.y..<rect.maxY {
                let end = luma + y * lumaStride + size.width
                end.update(repeating: end[-1], count: pad)
            }
            if chroma == .yuv444 {
                for y in rect.y..<rect.maxY {
                    for plane in [chroma0, chroma1] {
                        let end = plane + y * chromaStride + size.width
                        end.update(repeating: end[-1], count: pad)
                    }
                }
            } else {
                for y in rect.y / 2..<rect.maxY / 2 {
                    let end = chroma0 + y * chromaStride + size.width
                    for i in 0..<pad { end[i] = end[i - 2] }
                }
            }
        }
        if rect.maxY == size.height, size.height % 16 != 0 {
            let width = rect.maxX == size.width ? mbWidth * 16 - rect.x : rect.width
            for y in size.height..<mbHeight * 16 {
                (luma + y * lumaStride + rect.x).update(
                    from: luma + (size.height - 1) * lumaStride + rect.x, count: width)
            }
            let rows = chroma == .yuv444 ? size.height : size.height / 2
            let planes = chroma == .yuv444 ? [chroma0, chroma1] : [chroma0]
            for plane in planes {
                for y in rows..<(chroma == .yuv444 ? mbHeight * 16 : mbHeight * 8) {
                    (plane + y * chromaStride + rect.x).update(
                        from: plane + (rows - 1) * chromaStride + rect.x, count: width)
                }
            }
        }
    }
}
