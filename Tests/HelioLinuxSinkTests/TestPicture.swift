import CFFmpeg
import HelioCore
import Testing

@testable import HelioLinuxSink

/// Synthetic pictures, and their reference conversions.
enum TestPicture {
    /// Makes a picture whose values `sample` returns for a plane (0...2) and a position.
    static func make(
        _ size: PixelSize, chroma: ChromaSampling = .yuv420, color: ColorDescription = .bt709,
        damage: Region? = nil, change: DecodedPicture.Change? = nil, frameIndex: UInt64 = 0,
        sample: (Int, Int, Int) -> UInt8
    ) throws -> DecodedPicture {
        let frame = try #require(av_frame_alloc())
        frame.pointee.width = Int32(size.width)
        frame.pointee.height = Int32(size.height)
        frame.pointee.format = (chroma == .yuv420 ? AV_PIX_FMT_YUV420P : AV_PIX_FMT_YUV444P).rawValue
        frame.pointee.color_range = color.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        frame.pointee.colorspace = AVColorSpace(UInt32(color.matrix))
        frame.pointee.color_primaries = AVColorPrimaries(UInt32(color.primaries))
        frame.pointee.color_trc = AVColorTransferCharacteristic(UInt32(color.transfer))
        #expect(av_frame_get_buffer(frame, 0) == 0)
        let half = chroma == .yuv420 ? 2 : 1
        let planes = [frame.pointee.data.0, frame.pointee.data.1, frame.pointee.data.2]
        let strides = [frame.pointee.linesize.0, frame.pointee.linesize.1, frame.pointee.linesize.2]
        for plane in 0..<3 {
            let by = plane == 0 ? 1 : half
            let data = try #require(planes[plane])
            for y in 0..<(size.height + by - 1) / by {
                for x in 0..<(size.width + by - 1) / by { data[y * Int(strides[plane]) + x] = sample(plane, x, y) }
            }
        }
        let layout = try #require(SampleLayout(of: frame.pointee))
        return DecodedPicture(
            in: PictureMemory(owning: frame), layout: layout, damage: damage, change: change, frameIndex: frameIndex,
            mediaTime: 0)
    }

    /// Copies a planar 4:2:0 picture to one with interleaved chroma.
    static func interleaved(_ picture: DecodedPicture) throws -> DecodedPicture {
        let frame = try #require(av_frame_alloc())
        frame.pointee.width = Int32(picture.size.width)
        frame.pointee.height = Int32(picture.size.height)
        frame.pointee.format = AV_PIX_FMT_NV12.rawValue
        frame.pointee.colorspace = AVColorSpace(UInt32(picture.description.color.matrix))
        #expect(av_frame_get_buffer(frame, 0) == 0)
        let luma = try #require(frame.pointee.data.0)
        let colors = try #require(frame.pointee.data.1)
        let (from, cb, cr) = try (
            #require(picture.plane(0)), #require(picture.plane(1)), #require(picture.plane(2))
        )
        for y in 0..<picture.size.height {
            for x in 0..<picture.size.width {
                luma[y * Int(frame.pointee.linesize.0) + x] = from[y * picture.stride(0) + x]
                let at = y / 2 * Int(frame.pointee.linesize.1) + x / 2 * 2
                colors[at] = cb[y / 2 * picture.stride(1) + x / 2]
                colors[at + 1] = cr[y / 2 * picture.stride(2) + x / 2]
            }
        }
        let layout = try #require(SampleLayout(of: frame.pointee))
        return DecodedPicture(
            in: PictureMemory(owning: frame), layout: layout, damage: nil, frameIndex: 0, mediaTime: 0)
    }

    /// A picture without structure, so that a misplaced or stale pixel shows; smooth enough that scaling doesn't blur
    /// it to grey.
    static func noise(
        _ size: PixelSize, seed: UInt64, chroma: ChromaSampling = .yuv420, damage: Region? = nil
    ) throws -> DecodedPicture {
        try make(size, chroma: chroma, damage: damage) { plane, x, y in hash(plane, x, y, seed) }
    }

    static func hash(_ plane: Int, _ x: Int, _ y: Int, _ seed: UInt64) -> UInt8 {
        var h = UInt64(x) &* 0x9E37_79B9 ^ UInt64(y) &* 0x85EB_CA6B ^ UInt64(plane) << 40 ^ seed &* 0xC2B2_AE35
        h ^= h >> 15
        h = h &* 0x2C1B_3C6D
        h ^= h >> 12
        return UInt8(16 + h % 200)
    }

    /// The red, green and blue of a pixel by the reference conversion.
    static func reference(_ picture: DecodedPicture, x: Int, y: Int) throws -> [Double] {
        let half = picture.description.chroma == .yuv420 ? 2 : 1
        let luma = try #require(picture.plane(0))[y * picture.stride(0) + x]
        let cb = try #require(picture.plane(1))[y / half * picture.stride(1) + x / half]
        let cr = try #require(picture.plane(2))[y / half * picture.stride(2) + x / half]
        return ReferenceColor.decode(luma, cb, cr, picture.description.color)
    }

    /// Converts the whole picture to BGRX.
    static func convert(_ picture: DecodedPicture, usesVectors: Bool = true) -> PixelImage {
        let image = PixelImage(size: picture.size)
        PictureConverter.convert(
            picture, PixelRect(picture.size), to: image.pixels, stride: image.stride, usesVectors: usesVectors)
        return image
    }

    static func bytes(of image: PixelImage) -> [UInt8] {
        (0..<image.size.height).flatMap { y in
            [UInt8](UnsafeBufferPointer(start: image.at(0, y), count: image.size.width * 4))
        }
    }
}
