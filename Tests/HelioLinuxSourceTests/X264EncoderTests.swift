import Dispatch
import Foundation
import HelioBitstream
import HelioCore
import Testing

@testable import HelioLinuxSource

/// An encoder with its picture and its whole output.
final class EncodingBench {
    let encoder: X264Encoder
    let picture: PlanarPicture
    private(set) var stream: [UInt8] = []
    /// The slices of each picture.
    private(set) var pictures: [[EncodedSlice]] = []
    /// The picture that was encoded, for each access unit, in the sample layout of decoded pictures.
    private(set) var sources: [[UInt8]] = []
    private var clock = Instant.zero
    private let completion = DispatchSemaphore(value: 0)

    init(
        _ size: PixelSize, chroma: ChromaSampling = .yuv420, bitrate: Bitrate = .megabits(50), threads: Int = 2,
        usesPatches: Bool = true
    ) throws {
        let format = VideoFormat(codec: .h264, size: size, bitrate: bitrate, chroma: chroma)
        encoder = try X264Encoder(format, threads: threads, usesPatches: usesPatches)
        picture = try PlanarPicture(size: size, chroma: chroma, color: .bt709)
    }

    /// - Returns: the picture's size in bytes.
    @discardableResult
    func encode(_ request: EncodeRequest = EncodeRequest(), damage: Region = Region()) throws -> Int {
        clock = clock + .milliseconds(17)
        var slices: [EncodedSlice] = []
        let source = picture.planar
        let timing = FrameTiming(damaged: clock, captured: clock)
        try encoder.encode(picture, damage: damage, request: request, timing: timing) { slices.append($0) }
        // A refinement with nothing to refine makes no picture.
        if slices.isEmpty { return 0 }
        sources.append(source)
        pictures.append(slices)
        for slice in slices { stream += slice.annexB }
        return slices.reduce(0) { $0 + $1.annexB.count }
    }

    func codeKeyframesAside() {
        encoder.codeKeyframesAside { [completion] in completion.signal() }
    }

    /// Waits for the keyframe that is encoded aside, and takes it.
    ///
    /// - Parameter source: the decoded form of the keyframe's source picture.
    /// - Returns: whether changes since the request remain to be coded.
    @discardableResult
    func takeKeyframe(of source: [UInt8]) throws -> Bool {
        clock = clock + .milliseconds(17)
        while encoder.keyframeAside == .coding { completion.wait() }
        var slices: [EncodedSlice] = []
        let isBehind = try encoder.takeKeyframe(of: picture, frameIndex: nil, now: clock) { slices.append($0) }
        #expect(encoder.keyframeAside == .absent)
        sources.append(source)
        pictures.append(slices)
        for slice in slices { stream += slice.annexB }
        return try #require(isBehind as Bool?)
    }

    /// Encodes a picture other than the bench's own; its output is not stored.
    func slices(of other: PlanarPicture, _ request: EncodeRequest = EncodeRequest()) throws -> [EncodedSlice] {
        var slices: [EncodedSlice] = []
        try encoder.encode(
            other, damage: Region(), request: request, timing: FrameTiming(damaged: .zero, captured: .zero)
        ) { slices.append($0) }
        return slices
    }

    func refineUntilSharp() throws {
        for step in 1...encoder.refinementSteps where !encoder.isSharp {
            try encode(EncodeRequest(refinement: step))
        }
    }

    /// The peak signal-to-noise ratio of each decoded picture against its source.
    func quality() throws -> [Double] {
        let format = picture.chroma == .yuv420 ? "yuv420p" : "yuv444p"
        let decoded = try CommandLineTool.decode(stream, codec: "h264", pixelFormat: format)
        let one = sources[0].count
        #expect(decoded.count == one * sources.count)
        return sources.enumerated().map { i, source in psnr(source, decoded.dropFirst(i * one).prefix(one)) }
    }
}

@Suite struct X264EncoderTests {
    static let size = PixelSize(width: 334, height: 216)

    @Test(arguments: ChromaSampling.allCases, [1, 2]) func pictureSurvives(
        _ chroma: ChromaSampling, threads: Int
    ) throws {
        let bench = try EncodingBench(Self.size, chroma: chroma, threads: threads)
        var screen = TestPicture(Self.size.width, Self.size.height)
        screen.drawText(in: PixelRect(Self.size), isColored: true)
        for _ in 0..<4 {
            screen.convert(into: bench.picture)
            try bench.encode()
            screen.scrollUp(by: 4)
        }
        for quality in try bench.quality() { #expect(quality > 34) }
        for slices in bench.pictures {
            #expect(slices.map(\.isFirst) == [true] + slices.dropFirst().map { _ in false })
            #expect(slices.map(\.isLast) == slices.dropLast().map { _ in false } + [true])
            #expect(slices.last?.timing.encoded != nil)
        }
        #expect(bench.pictures.map { $0[0].isKeyframe } == [true, false, false, false])
        #expect(bench.pictures.map { $0[0].frameIndex } == [0, 1, 2, 3])
    }

    /// Patches, whole pictures and refinement in turn, at all edges and with motion vectors beyond them.
    @Test(arguments: ChromaSampling.allCases, [X264EncoderTests.size, PixelSize(width: 320, height: 192)])
    func mixedPicturesDoNotDrift(_ chroma: ChromaSampling, size: PixelSize) throws {
        let bench = try EncodingBench(size, chroma: chroma)
        var screen = TestPicture(size.width, size.height)
        screen.drawText(in: PixelRect(size), isColored: true)
        screen.convert(into: bench.picture)
        try bench.encode()
        var generator = SeededGenerator(seed: 11)
        for round in 0..<30 {
            switch round % 5 {
            case 0:
                screen.scrollUp(by: 6)
                screen.convert(into: bench.picture)
                try bench.encode()
            case 4:
                try bench.encode(EncodeRequest(refinement: 1))
            default:
                let x = [0, size.width - 40, .random(in: 0..<size.width - 40, using: &generator)][round % 3]
                let y = [0, .random(in: 0..<size.height - 30, using: &generator), size.height - 30][round % 5 - 1]
                let rect = PixelRect(x: x & ~1, y: y & ~1, width: 40, height: 30)
                screen.drawNoise(in: rect)
                screen.convert(rect, into: bench.picture)
                try bench.encode(damage: Region(rect))
            }
            let recon = bench.encoder.reconstruction
            #expect(recon != nil)
        }
        let format = chroma == .yuv420 ? "yuv420p" : "yuv444p"
        let decoded = try CommandLineTool.decode(bench.stream, codec: "h264", pixelFormat: format)
        let one = bench.sources[0].count
        #expect(decoded.count == 31 * one)
        // The decoded picture equals the encoder's reconstruction bit for bit.
        #expect(Array(decoded.suffix(one)) == bench.encoder.reconstruction)
        #expect(try bench.quality().allSatisfy { $0 > 33 })
        #expect(bench.pictures.filter { $0.count == 1 && !$0[0].isKeyframe }.count >= 20, "no patches were used")
    }

    /// A patch right after each whole picture, at the edges, which x264's threads extend after the picture was
    /// returned: neither may overwrite the other.
    @Test(arguments: ChromaSampling.allCases, [1, 2])
    func patchesFollowWholePicturesAtOnce(_ chroma: ChromaSampling, threads: Int) throws {
        let size = PixelSize(width: 640, height: 368)
        let bench = try EncodingBench(size, chroma: chroma, threads: threads)
        var screen = TestPicture(size.width, size.height)
        screen.drawText(in: PixelRect(size), isColored: true)
        screen.convert(into: bench.picture)
        try bench.encode()
        for round in 0..<40 {
            screen.scrollUp(by: 6)
            screen.convert(into: bench.picture)
            try bench.encode()
            let rect = PixelRect(x: 0, y: [0, size.height - 16][round % 2], width: size.width, height: 16)
            screen.drawNoise(in: rect)
            screen.convert(rect, into: bench.picture)
            try bench.encode(damage: Region(rect))
            #expect(bench.pictures.last?.count == 1, "no patch was used")
        }
        let format = chroma == .yuv420 ? "yuv420p" : "yuv444p"
        let decoded = try CommandLineTool.decode(bench.stream, codec: "h264", pixelFormat: format)
        #expect(Array(decoded.suffix(bench.sources[0].count)) == bench.encoder.reconstruction)
    }

    /// Text scrolled up and down, by steps within a macroblock and beyond, beside unchanged content and content that
    /// changes in place: coded by motion in few bytes, and decoded exactly.
    @Test(arguments: ChromaSampling.allCases, [4, -4, 22, -38])
    func scrollingIsToldByMotion(_ chroma: ChromaSampling, step: Int) throws {
        let size = PixelSize(width: 470, height: 360)
        let bench = try EncodingBench(size, chroma: chroma)
        var page = TestPicture(size.width, 640)
        page.drawText(in: PixelRect(page.size), isColored: true)
        var screen = TestPicture(size.width, size.height)
        screen.drawText(in: PixelRect(size))
        var top = step > 0 ? 0 : 300
        func show() {
            // A bar on top and one at the side stay; a clock changes in the bar.
            screen.copy(
                PixelRect(x: 0, y: top, width: size.width - 70, height: size.height - 40), of: page, toX: 0, y: 40)
            screen.drawNoise(in: PixelRect(x: 424, y: 10, width: 16, height: 8))
            screen.convert(into: bench.picture)
            top += step
        }
        show()
        let first = try bench.encode()
        for _ in 0..<5 {
            show()
            #expect(try bench.encode() < first / 4)
            #expect(bench.pictures.last?.count == 1, "x264 did it")
        }
        let format = chroma == .yuv420 ? "yuv420p" : "yuv444p"
        let decoded = try CommandLineTool.decode(bench.stream, codec: "h264", pixelFormat: format)
        #expect(Array(decoded.suffix(bench.sources[0].count)) == bench.encoder.reconstruction)
        #expect(try bench.quality().allSatisfy { $0 > 36 })
        // A film is coded by x264; afterwards the scrolled page is searched for again.
        for _ in 0..<6 {
            screen.drawNoise(in: PixelRect(size))
            screen.convert(into: bench.picture)
            try bench.encode()
            #expect(try #require(bench.pictures.last).count > 1)
        }
        show()
        try bench.encode()
        #expect(try #require(bench.pictures.last).count > 1)
        try bench.encode()
        show()
        try bench.encode()
        #expect(bench.pictures.last?.count == 1, "scrolling was forgotten")
        try bench.refineUntilSharp()
        #expect(try #require(bench.quality().last) > 45)
    }

    /// Coarse content would stay coarse during scrolling: x264 codes it again.
    @Test func scrollingDoesNotKeepWhatIsCoarse() throws {
        let size = PixelSize(width: 470, height: 360)
        let bench = try EncodingBench(size, bitrate: Bitrate(bitsPerSecond: 300_000))
        var screen = TestPicture(size.width, size.height)
        screen.drawText(in: PixelRect(size))
        for _ in 0..<2 {
            screen.convert(into: bench.picture)
            try bench.encode()
            screen.scrollUp(by: 4)
        }
        #expect(try #require(bench.pictures.last).count > 1)
    }

    /// Only patches: `frame_num` wraps, and x264 finally takes over again.
    @Test func manyPatchesInARow() throws {
        let bench = try EncodingBench(Self.size)
        var screen = TestPicture(Self.size.width, Self.size.height)
        screen.convert(into: bench.picture)
        try bench.encode()
        for i in 0..<70 {
            let rect = PixelRect(x: i * 4 % 300, y: i * 6 % 200, width: 8, height: 16)
            screen.drawNoise(in: rect)
            screen.convert(rect, into: bench.picture)
            try bench.encode()
        }
        screen.drawText(in: PixelRect(Self.size))
        screen.convert(into: bench.picture)
        try bench.encode()
        try bench.encode(EncodeRequest(keyframe: true))
        screen.drawNoise(in: PixelRect(x: 0, y: 0, width: 16, height: 16))
        screen.convert(into: bench.picture)
        try bench.encode()
        #expect(try bench.quality().allSatisfy { $0 > 36 })
    }

    @Test(arguments: [ChromaSampling.yuv420, .yuv444], [true, false])
    func refinementIsVisuallyLossless(_ chroma: ChromaSampling, patches: Bool) throws {
        let bench = try EncodingBench(Self.size, chroma: chroma, bitrate: .megabits(8), usesPatches: patches)
        var screen = TestPicture(Self.size.width, Self.size.height)
        screen.drawText(in: PixelRect(x: 0, y: 0, width: 334, height: 120), isColored: true)
        screen.drawNoise(in: PixelRect(x: 0, y: 120, width: 334, height: 96))
        screen.convert(into: bench.picture)
        try bench.encode()
        try bench.refineUntilSharp()
        #expect(bench.encoder.isSharp)
        let quality = try bench.quality()
        #expect(try #require(quality.last) > (patches ? 47 : 45), "\(quality)")
        #expect(quality == quality.sorted(), "a step made it worse")
    }

    /// A large picture is searched in pieces, so that a key pressed meanwhile hardly waits.
    @Test func refinementLooksAtAPieceAtATime() throws {
        let size = PixelSize(width: 1600, height: 912)
        let bench = try EncodingBench(size)
        let plain = [UInt8](repeating: 200, count: size.area * 4)
        bench.picture.convert(plain, stride: size.width * 4, to: PixelRect(size))
        try bench.encode()
        var sizes: [Int] = []
        while !bench.encoder.isSharp, sizes.count < 100 {
            sizes.append(try bench.encode(EncodeRequest(refinement: sizes.count + 1)))
        }
        // 5700 macroblocks, none of which needs refinement.
        #expect(sizes == [0, 0, 0])
        // The picture after pieces without output is the next frame.
        var screen = TestPicture(size.width, size.height)
        let rect = PixelRect(x: 160, y: 96, width: 16, height: 16)
        screen.drawNoise(in: rect)
        screen.convert(rect, into: bench.picture)
        try bench.encode(damage: Region(rect))
        #expect(bench.pictures.map { $0[0].frameIndex } == [0, 1])
        let quality = try bench.quality()
        #expect(try #require(quality.last) > 47, "\(quality)")
    }

    @Test func unchangedPicturesCostNothing() throws {
        for patches in [true, false] {
            let bench = try EncodingBench(Self.size, usesPatches: patches)
            var screen = TestPicture(Self.size.width, Self.size.height)
            screen.drawText(in: PixelRect(Self.size))
            screen.convert(into: bench.picture)
            let first = try bench.encode()
            #expect(first > 4000)
            for _ in 0..<3 { #expect(try bench.encode() < 100) }
            let rect = PixelRect(x: 160, y: 96, width: 16, height: 16)
            screen.drawNoise(in: rect)
            screen.convert(rect, into: bench.picture)
            #expect(try bench.encode(damage: Region(rect)) < 700)
            let quality = try bench.quality()
            #expect(quality.allSatisfy { $0 > 36 })
        }
    }

    @Test func damageMessageComesFirst() throws {
        let bench = try EncodingBench(Self.size)
        var screen = TestPicture(Self.size.width, Self.size.height)
        screen.convert(into: bench.picture)
        try bench.encode()
        let rect = PixelRect(x: 32, y: 48, width: 32, height: 16)
        screen.drawNoise(in: rect)
        screen.convert(rect, into: bench.picture)
        try bench.encode(damage: Region(rect))
        screen.drawNoise(in: PixelRect(Self.size))
        screen.convert(into: bench.picture)
        try bench.encode(damage: Region(PixelRect(Self.size)))
        let messages = bench.pictures.map { slices in
            let bytes = slices[0].annexB
            return DamageMessage.find(inAnnexB: bytes.span.bytes, codec: .h264)
        }
        #expect(messages[0] == nil)
        #expect(messages[1]?.region == Region(rect))
        #expect(messages[2]?.region.bounds == PixelRect(x: 0, y: 0, width: 336, height: 224))
    }

    @Test func keyframeComesWhenAskedFor() throws {
        let bench = try EncodingBench(Self.size)
        var screen = TestPicture(Self.size.width, Self.size.height)
        screen.drawText(in: PixelRect(Self.size))
        screen.convert(into: bench.picture)
        for i in 0..<6 { try bench.encode(EncodeRequest(keyframe: i == 4)) }
        #expect(bench.pictures.map { $0[0].isKeyframe } == [true, false, false, false, true, false])
        // Parameter sets are repeated: the rest is decodable on its own.
        let tail = bench.pictures[4...].flatMap { $0.flatMap(\.annexB) }
        let decoded = try CommandLineTool.decode(tail, codec: "h264", pixelFormat: "yuv420p")
        #expect(psnr(decoded.suffix(bench.sources[5].count), bench.sources[5]) > 36)
    }

    @Test func streamTellsItsColours() throws {
        let bench = try EncodingBench(Self.size)
        try bench.encode()
        let stream = bench.stream
        let bytes = stream.span.bytes
        var cursor = AnnexB.Cursor()
        let first = cursor.next(in: bytes)
        let range = try #require(first)
        let parsed = H264SequenceParameters.parse(nal: bytes.extracting(range))
        let sps = try #require(parsed)
        #expect(sps.color == .bt709)
        #expect(sps.size == Self.size)
        #expect(sps.maximumReorderedFrames == 0)
        #expect(sps.profile == 66)
    }

    @Test func reconfigures() throws {
        let bench = try EncodingBench(Self.size)
        var screen = TestPicture(Self.size.width, Self.size.height)
        screen.drawNoise(in: PixelRect(Self.size))
        screen.convert(into: bench.picture)
        var format = bench.encoder.format
        try bench.encode()
        format.bitrate = .kilobits(1000)
        format.framesPerSecond = 30
        try bench.encoder.reconfigure(format)
        var total = 0
        for i in 0..<60 {
            screen.drawNoise(in: PixelRect(x: 0, y: 0, width: 334, height: 100 + i))
            screen.convert(into: bench.picture)
            let size = try bench.encode()
            if i >= 30 { total += size }
        }
        #expect(!bench.pictures[1][0].isKeyframe)
        // 30 pictures of new noise at 17 ms each, half a second: within a third of the bitrate.
        #expect(total * 8 < 680_000, "\(total * 8) bits")

        format.size = PixelSize(width: 160, height: 96)
        try bench.encoder.reconfigure(format)
        #expect(throws: HelioError.self) { try bench.encode() }
        let small = try PlanarPicture(size: format.size, chroma: .yuv420, color: .bt709)
        #expect(try bench.slices(of: small).first?.isKeyframe == true)
    }

    @Test func refusesOtherCodecs() {
        #expect(throws: HelioError.self) { try X264Encoder(VideoFormat(codec: .h265, size: Self.size)) }
    }
}
