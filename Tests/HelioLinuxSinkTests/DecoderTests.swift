import HelioBitstream
import HelioCore
import Testing

@testable import HelioLinuxSink

@Suite struct DecoderTests {
    /// The decoder has no delay: each access unit returns its own picture at once.
    @Test(arguments: VideoCodec.allCases, ["yuv420p", "yuv444p"])
    func oneInOneOut(codec: VideoCodec, pixels: String) throws {
        let frames = try TestStream.generate(
            "testsrc2=s=322x242:r=30", codec: codec, frames: 12, pixels: pixels,
            parameters: codec == .h264 ? "slice-max-size=600" : "slices=2")
        #expect(frames.count == 12)
        let decoder = try FFmpegDecoder(codec)
        for frame in frames {
            let picture = try #require(try decoder.decode(frame))
            #expect(picture.frameIndex == frame.frameIndex)
            #expect(picture.mediaTime == frame.mediaTime)
            #expect(picture.size == PixelSize(width: 322, height: 242))
            #expect(picture.description.chroma == (pixels == "yuv420p" ? .yuv420 : .yuv444))
        }
        #expect(decoder.skippedPictures == 0)
    }

    /// Frames in decoding order with later references (B frames), as from cameras: each picture is returned once, in
    /// display order.
    @Test(arguments: VideoCodec.allCases)
    func reorderedFrames(codec: VideoCodec) throws {
        let size = PixelSize(width: 64, height: 64)
        let raw = (0..<12).flatMap { number in
            [UInt8](repeating: UInt8(40 + number * 10), count: size.area)
                + [UInt8](repeating: 128, count: size.area / 2)
        }
        let frames = try TestStream.encode(
            raw: raw, size: size, codec: codec, parameters: "bframes=2:b-adapt=0:rc-lookahead=5:weightp=0")
        #expect(frames.count == 12)
        let decoder = try FFmpegDecoder(codec, mayReorder: true)
        var shades: [Int] = []
        for frame in frames {
            guard let picture = try decoder.decode(frame) else { continue }
            shades.append(Int(try #require(picture.plane(0))[0]))
        }
        #expect(shades.count >= 8 && shades.count < 12, "it holds back what comes too early, and no more")
        for (number, shade) in shades.enumerated() { #expect(abs(shade - 40 - number * 10) <= 3) }
        // A decoder that doesn't expect reordering treats a delayed picture as a damaged one.
        let strict = try FFmpegDecoder(codec)
        #expect(throws: HelioError.self) { for frame in frames { _ = try strict.decode(frame) } }
    }

    /// A few bytes can announce a picture of gigabytes: its size is checked before memory is allocated.
    @Test(arguments: VideoCodec.allCases)
    func hugePicturesAreRefused(codec: VideoCodec) throws {
        let huge = try TestStream.generate(
            "color=black:s=16000x64:r=30", codec: codec, frames: 2, parameters: "slices=1")
        let small = try TestStream.generate(
            "testsrc2=s=320x240:r=30", codec: codec, frames: 2, parameters: "slices=1")
        let decoder = try FFmpegDecoder(
            codec, mostSamples: PictureLimit.samples(within: PixelSize(width: 1280, height: 720)))
        #expect(try decoder.decode(small[0]) != nil && decoder.refusedSize == nil)
        #expect(throws: HelioError.self) { try decoder.decode(huge[0]) }
        #expect(decoder.refusedSize == PixelSize(width: 16000, height: 64))
        // Frames that refer to it fail, as with any missing keyframe.
        #expect(throws: HelioError.self) { try decoder.decode(huge[1]) }
        #expect(decoder.refusedSize == nil)
        #expect(try decoder.decode(small[0]) != nil)

        // Without a limit, no size is refused.
        #expect(try FFmpegDecoder(codec).decode(huge[0])?.size == PixelSize(width: 16000, height: 64))
    }

    /// The limit applies to the coded size: cropping doesn't reduce the cost of decoding.
    @Test(arguments: VideoCodec.allCases)
    func croppedPicturesCountAsTheyAreCoded(codec: VideoCodec) throws {
        let filter = codec == .h264 ? "h264_metadata=crop_right=15936" : "hevc_metadata=crop_right=15936"
        let frames = try TestStream.generate(
            "color=black:s=16000x64:r=30", codec: codec, frames: 1, parameters: "slices=1", extra: ["-bsf:v", filter])
        #expect(try FFmpegDecoder(codec).decode(frames[0])?.size == PixelSize(width: 64, height: 64))
        let decoder = try FFmpegDecoder(codec, mostSamples: 64 * 1024)
        #expect(throws: HelioError.self) { try decoder.decode(frames[0]) }
        #expect(decoder.refusedSize == PixelSize(width: 16000, height: 64))
    }

    /// Decoding in parts returns the same pictures as decoding whole units.
    @Test(arguments: VideoCodec.allCases)
    func partsGiveTheSamePicture(codec: VideoCodec) throws {
        let frames = try TestStream.generate(
            "testsrc2=s=320x240:r=30,noise=alls=20:allf=t", codec: codec, frames: 8,
            parameters: codec == .h264 ? "slice-max-size=400" : "slices=3")
        let whole = try FFmpegDecoder(codec)
        let split = try FFmpegDecoder(codec)
        for frame in frames {
            let expected = try #require(try whole.decode(frame))
            let parts = TestStream.parts(of: frame)
            #expect(parts.count > 2)
            var picture: DecodedPicture?
            for (index, part) in parts.enumerated() {
                #expect(picture == nil)
                picture = try split.decodePart(
                    part, isFirst: index == 0, isLast: index == parts.count - 1, isKeyframe: frame.isKeyframe,
                    frameIndex: frame.frameIndex, mediaTime: frame.mediaTime)
            }
            try Self.expectEqual(try #require(picture), expected)
        }
    }

    /// A returned picture stays unchanged while the decoder continues, and after it is released.
    @Test func aPictureOutlivesTheDecoder() throws {
        let frames = try TestStream.generate("testsrc2=s=320x240:r=30", frames: 8)
        var decoder: FFmpegDecoder? = try FFmpegDecoder(.h264)
        let first = try #require(try decoder?.decode(frames[0]))
        let before = Self.samples(first)
        for frame in frames.dropFirst() { _ = try decoder?.decode(frame) }
        decoder = nil
        #expect(Self.samples(first) == before)
    }

    @Test func parameterSetsAloneGiveNoPicture() throws {
        let frames = try TestStream.generate("testsrc2=s=320x240:r=30", frames: 1)
        let parts = TestStream.parts(of: frames[0])
        let sets = parts.filter { $0[4] & 0x1F == 7 || $0[4] & 0x1F == 8 }
        #expect(sets.count == 2)
        let decoder = try FFmpegDecoder(.h264)
        #expect(try decoder.decode(TestStream.frame(sets[0] + sets[1], isKeyframe: true)) == nil)
        #expect(try decoder.decode(frames[0]) != nil)
    }

    /// A stream may change its size on a keyframe without a new decoder.
    @Test(arguments: VideoCodec.allCases)
    func sizeChangesOnAKeyframe(codec: VideoCodec) throws {
        let decoder = try FFmpegDecoder(codec)
        for size in ["320x240", "240x320", "640x360", "322x182"] {
            for frame in try TestStream.generate("testsrc2=s=\(size):r=30", codec: codec, frames: 2, parameters: "") {
                let picture = try #require(try decoder.decode(frame))
                #expect("\(picture.size)" == size)
            }
        }
    }

    /// The damage of the first picture, of a keyframe, and of a picture after a failure is the whole picture.
    @Test(arguments: VideoCodec.allCases)
    func damageComesFromTheStream(codec: VideoCodec) throws {
        let frames = try TestStream.generate("testsrc2=s=320x240:r=30", codec: codec, frames: 4, parameters: "")
        let message = DamageMessage(region: Region(PixelRect(x: 32, y: 48, width: 16, height: 32)))
        let marked = frames.map { frame in
            var frame = frame
            var bytes: [UInt8] = []
            message.write(into: &bytes, codec: codec)
            frame.annexB = bytes + frame.annexB
            return frame
        }
        let decoder = try FFmpegDecoder(codec)
        #expect(try decoder.decode(marked[0])?.damage == nil)
        let margin = codec == .h264 ? 4 : 8
        let expected = PixelRect(
            x: 32 - margin, y: 48 - margin, width: 16 + 2 * margin, height: 32 + 2 * margin)
        #expect(try decoder.decode(marked[1])?.damage == Region(expected))
        #expect(try decoder.decode(frames[2])?.damage == nil)
        decoder.reset()
        #expect(throws: HelioError.self) { try decoder.decode(marked[3]) }
        #expect(try decoder.decode(marked[0])?.damage == nil)
    }

    /// A truncated unit fails, and so do its successors; a keyframe after `reset` succeeds.
    @Test(arguments: VideoCodec.allCases)
    func aTruncatedSliceFailsUntilTheNextKeyframe(codec: VideoCodec) throws {
        let frames = try TestStream.generate(
            "testsrc2=s=640x360:r=30,noise=alls=30:allf=t", codec: codec, frames: 5, parameters: "")
        let decoder = try FFmpegDecoder(codec)
        #expect(try decoder.decode(frames[0]) != nil)
        var cut = frames[1]
        cut.annexB.removeLast(cut.annexB.count / 2)
        #expect(throws: HelioError.self) { try decoder.decode(cut) }
        #expect(throws: HelioError.self) { try decoder.decode(frames[2]) }
        #expect(throws: HelioError.self) { try decoder.decode(frames[3]) }
        decoder.reset()
        let healed = try #require(try decoder.decode(frames[0]))
        let fresh = try FFmpegDecoder(codec)
        try Self.expectEqual(healed, try #require(try fresh.decode(frames[0])))
        #expect(try decoder.decode(frames[1]) != nil)
    }

    /// An incomplete unit is discarded when the next one begins.
    @Test func anUnfinishedUnitIsForgotten() throws {
        let frames = try TestStream.generate(
            "testsrc2=s=320x240:r=30,noise=alls=20:allf=t", frames: 4, parameters: "slice-max-size=400")
        let decoder = try FFmpegDecoder(.h264)
        #expect(try decoder.decode(frames[0]) != nil)
        let part = TestStream.parts(of: frames[1])[0]
        #expect(
            try decoder.decodePart(
                part, isFirst: true, isLast: false, isKeyframe: false, frameIndex: 1, mediaTime: 0) == nil)
        #expect(throws: HelioError.self) { try decoder.decode(frames[2]) }
        #expect(throws: HelioError.self) {
            try decoder.decodePart(
                part, isFirst: false, isLast: true, isKeyframe: false, frameIndex: 3, mediaTime: 0)
        }
        #expect(try decoder.decode(frames[0]) != nil)
    }

    /// For any input the decoder throws or continues, and works again afterwards.
    @Test(arguments: VideoCodec.allCases, [1, 2])
    func junkNeverTraps(codec: VideoCodec, threads: Int) throws {
        let frames = try TestStream.generate("testsrc2=s=160x120:r=30", codec: codec, frames: 6, parameters: "")
        var random = SeededGenerator(seed: UInt64(threads))
        let decoder = try FFmpegDecoder(codec, threads: threads)
        var failures = 0
        for round in 0..<1500 {
            var unit = frames[Int(random.next() % UInt64(frames.count))]
            switch round % 4 {
            case 0:
                unit.annexB = (0..<Int(random.next() % 300)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            case 1:
                for _ in 0..<8 {
                    let place = Int(random.next() % UInt64(unit.annexB.count))
                    unit.annexB[place] = UInt8(truncatingIfNeeded: random.next())
                }
            case 2:
                unit.annexB.removeLast(Int(random.next() % UInt64(unit.annexB.count)))
            default:
                let place = Int(random.next() % UInt64(unit.annexB.count))
                unit.annexB.insert(contentsOf: [0, 0, 1, UInt8(truncatingIfNeeded: random.next())], at: place)
            }
            unit.isKeyframe = random.next() % 2 == 0
            do {
                let isWhole = random.next() % 3 != 0
                _ = try decoder.decodePart(
                    unit.annexB, isFirst: isWhole || random.next() % 2 == 0, isLast: isWhole || random.next() % 2 == 0,
                    isKeyframe: unit.isKeyframe, frameIndex: 0, mediaTime: 0)
            } catch {
                #expect(error.code == .decoderFailed || error.code == .unsupported)
                failures += 1
            }
        }
        #expect(failures > 300)
        decoder.reset()
        for frame in frames { #expect(try decoder.decode(frame) != nil) }
    }

    /// The test picture that hardware must decode before it is used.
    @Test(arguments: VideoCodec.allCases) func testPicture(_ codec: VideoCodec) throws {
        let picture = try FFmpegDecoder(codec).decodePart(
            DecoderCatalog.testPicture(codec), isFirst: true, isLast: true, isKeyframe: true, frameIndex: 0,
            mediaTime: 0)
        #expect(picture?.size == PixelSize(width: 640, height: 368))
    }

    /// A hardware decoder is used only if it has decoded the test picture, whatever was selected; without a device
    /// there is none.
    @Test func choice() throws {
        let hardware = DecoderCatalog.hardware(of: .named("vaapi"))
        for codec in VideoCodec.allCases {
            #expect(try !DecoderCatalog.make(codec, choice: .software).isHardware)
            let isByHardware = codec == .h265 && hardware.contains(codec)
            #expect(try DecoderCatalog.make(codec).isHardware == isByHardware)
            #expect(DecoderCatalog.hardware(of: .automatic).contains(codec) == isByHardware)
        }
        #expect(DecoderCatalog.hardware(of: .software).isEmpty)
        let unknown = #expect(throws: HelioError.self) { try DecoderCatalog.check(.named("magic")) }
        #expect(unknown?.code == .invalidArgument && unknown?.message.contains("vaapi, nvdec") == true)
        if !hardware.isEmpty { return try DecoderCatalog.check(.named("vaapi")) }
        let missing = #expect(throws: HelioError.self) { try DecoderCatalog.check(.named("vaapi")) }
        #expect(missing?.code == .unsupported)
        #expect(throws: HelioError.self) { try DecoderCatalog.make(.h264, choice: .named("vaapi")) }
    }

    private static func samples(_ picture: DecodedPicture) -> [UInt8] {
        TestPicture.bytes(of: TestPicture.convert(picture))
    }

    private static func expectEqual(_ a: DecodedPicture, _ b: DecodedPicture) throws {
        #expect(a.description == b.description)
        #expect(samples(a) == samples(b))
    }
}
