import CYUV
package import HelioCore
package import HelioPatch

/// A picture in the encoder's format, with the macroblocks that have changed since it was last encoded.
///
/// Samples have 8 bits. 4:2:0 is stored as NV12, which x264, VA-API and NVENC use: a plane of Y' and a plane of
/// interleaved Cb and Cr. Each chroma sample is the mean of 2x2 pixels, sited in their centre. 4:4:4 has three planes.
/// Rows are aligned to 64 bytes; planes are padded to whole macroblocks with copies of the edge. Used on the media
/// thread only.
package final class PlanarPicture {
    package let color: ColorDescription
    /// The samples, with a mark for each macroblock that has not changed.
    package let blocks: MacroblockPicture
    package var size: PixelSize { blocks.size }
    package var chroma: ChromaSampling { blocks.chroma }

    /// Scales captured pixels to this picture's size; `nil` if the sizes are the same.
    let scaler: PictureScaler?

    /// Blocks until the keyframe's thread no longer reads the samples; called once, before the next change. `nil` if no
    /// other thread reads them.
    var awaitReader: (() -> Void)?

    private let matrix: YUVMatrix
    private let usesAVX2: Bool
    private let storage: UnsafeMutableRawPointer

    /// Makes a black picture with all macroblocks marked as changed. Throws `invalidArgument` if a side of `size` is
    /// odd, below 16 or above 16384 pixels.
    ///
    /// - Parameter source: the size of the input of `take`, not smaller than `size`; `nil` if it equals `size`.
    package init(
        size: PixelSize, of source: PixelSize? = nil, chroma: ChromaSampling, color: ColorDescription,
        allowVectors: Bool = true
    ) throws(HelioError) {
        guard size.width >= 16, size.height >= 16, size.width % 2 == 0, size.height % 2 == 0,
            size.width <= 16384, size.height <= 16384
        else {
            throw HelioError(.invalidArgument, "A picture of \(size) can't be coded: sizes are even and at least 16.")
        }
        scaler = source.flatMap { $0 == size ? nil : PictureScaler(from: $0, to: size, allowVectors: allowVectors) }
        self.color = color
        matrix = try YUVMatrix(color)
        usesAVX2 = allowVectors && helio_yuv_has_avx2() != 0
        let mbWidth = (size.width + 15) / 16
        let mbHeight = (size.height + 15) / 16
        let stride = (size.width + 63) & ~63
        let lumaBytes = stride * mbHeight * 16
        let chromaBytes = chroma == .yuv420 ? lumaBytes / 2 : lumaBytes
        let planes = chroma == .yuv420 ? 1 : 2
        let total = lumaBytes + chromaBytes * planes + mbWidth * mbHeight
        storage = .allocate(byteCount: total + 64, alignment: 64)
        let luma = storage.bindMemory(to: UInt8.self, capacity: total + 64)
        let chroma0 = luma + lumaBytes
        blocks = MacroblockPicture(
            size: size, chroma: chroma, luma: luma, chroma0: chroma0,
            chroma1: chroma == .yuv420 ? chroma0 : chroma0 + chromaBytes, lumaStride: stride, chromaStride: stride,
            unchanged: chroma0 + chromaBytes * planes)
        luma.update(repeating: color.isFullRange ? 0 : 16, count: lumaBytes)
        chroma0.update(repeating: 128, count: chromaBytes * planes)
        blocks.mark(unchanged: false)
    }

    deinit { storage.deallocate() }

    package func markAllChanged() { blocks.mark(unchanged: false) }

    /// Marks all macroblocks as unchanged, after the picture was encoded.
    func markCoded() { blocks.mark(unchanged: true) }

    /// The size of the captured pictures that `take` scales, in pixels; `size` if there is no scaler.
    var sourceSize: PixelSize { scaler?.source ?? size }

    /// Scales and converts BGRX pixels of the source to `rect` of this picture.
    ///
    /// - Parameter pixels: the pixels of `rect`; with a scaler, the pixels of `scaler.source(of: rect)`.
    func take(_ pixels: UnsafePointer<UInt8>, stride: Int, to rect: PixelRect) {
        guard let scaler else { return convert(pixels, stride: stride, to: rect) }
        scaler.scale(pixels, stride: stride, to: rect) { convert($1, stride: $2, to: $0) }
    }

    /// Converts BGRX pixels into the samples of `rect`, and marks the macroblocks whose samples change.
    ///
    /// - Parameter rect: even in all four numbers and inside the picture.
    package func convert(_ source: UnsafePointer<UInt8>, stride: Int, to rect: PixelRect) {
        precondition(PixelRect(size).contains(rect) && (rect.x | rect.y | rect.width | rect.height) & 1 == 0)
        awaitReader.take()?()
        var m = matrix.coefficients
        var target = helio_yuv_target(
            y: blocks.luma, cb: blocks.chroma0, cr: blocks.chroma1, y_stride: blocks.lumaStride,
            c_stride: blocks.chromaStride, unchanged: blocks.unchanged, mb_stride: blocks.mbWidth)
        helio_yuv_convert(
            &m, chroma == .yuv444 ? 1 : 0, usesAVX2 ? 1 : 0, source, stride, &target, rect.x, rect.y, rect.width,
            rect.height)
        padEdges(rect)
    }

    /// Copies the last column and row into the padding up to whole macroblocks.
    private func padEdges(_ rect: PixelRect) {
        let (luma, chroma0, chroma1) = (blocks.luma, blocks.chroma0, blocks.chroma1)
        let (lumaStride, chromaStride) = (blocks.lumaStride, blocks.chromaStride)
        let (mbWidth, mbHeight) = (blocks.mbWidth, blocks.mbHeight)
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
