import Dispatch
import Foundation
import HelioBitstream
import HelioCore
import Testing

@testable import HelioLinuxSource

/// An encoder with its picture and all that it gave.
final class EncodingBench {
    let encoder: X264Encoder
    let picture: PlanarPicture
    private(set) var stream: [UInt8] = []
    /// Slices of each picture.
    private(set) var pictures: [[EncodedSlice]] = []
    /// Decoded form of each picture's source.
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
        // A refinement with nothing to do is no picture.
        if slices.isEmpty { return 0 }
        sources.append(source)
        pictures.append(slices)
        for slice in slices { stream += slice.annexB }
        return slices.reduce(0) { $0 + $1.annexB.count }
    }

    func codeKeyframesAside() {
        encoder.codeKeyframesAside { [completion] in completion.signal() }
    }

    /// Takes the keyframe that is coded aside, when it is complete.
    ///
    /// - Parameter source: decoded form of the picture that it was made of.
    /// - Returns: whether what has changed since is to be coded.
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

    /// Codes another picture than the bench's own, of which nothing is kept here.
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

    /// PSNR of each decoded picture against what was given.
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

    /// Patches, whole pictures and refinement by turns, at all edges and with motion that points outside.
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
        // The decoder has to the bit what the encoder believes it has.
        #expect(Array(decoded.suffix(one)) == bench.encoder.reconstruction)
        #expect(try bench.quality().allSatisfy { $0 > 33 })
        #expect(bench.pictures.filter { $0.count == 1 && !$0[0].isKeyframe }.count >= 20, "no patches were used")
    }

    /// A patch right behind each whole picture, at the edges, which x264's threads draw outwards after the picture is
    /// out: neither may write over the other.
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

    /// Scrolled text, up and down, by steps within a macroblock and beyond, beside what stays and what changes where it
    /// is: told by motion in few bytes, and to the bit what a decoder makes of it.
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
            // A bar above and one beside it stay; a clock ticks in the bar.
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
        // A film is x264's work, and the page is looked out for again after it.
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

    /// What was coded coarsely would stay so for as long as somebody scrolls: x264 codes it anew.
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

    /// Nothing but patches: `frame_num` wraps, and x264 takes over again in the end.
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

    /// A large picture is looked at a piece at a time, so that a key that is pressed meanwhile hardly waits.
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
        // 5700 macroblocks, of which none is to be refined.
        #expect(sizes == [0, 0, 0])
        // What comes after pieces that were no pictures is the next frame.
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
        // Parameter sets are there again: the rest can be decoded alone.
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
        // 30 pictures of fresh noise, 17 ms apart, in half a second: within a third of the rate.
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
