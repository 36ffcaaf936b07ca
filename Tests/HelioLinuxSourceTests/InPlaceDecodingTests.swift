import HelioBitstream
import HelioCore
import HelioPatch
import Testing

@testable import HelioLinuxSink
@testable import HelioLinuxSource

/// Pictures that are decoded in place without FFmpeg, and pictures that FFmpeg decodes after them.
@Suite struct InPlaceDecodingTests {
    /// A stream of a synthetic desktop, and the encoder's reconstruction after each picture.
    private final class Stream {
        let encoder: X264Encoder
        private let picture: PlanarPicture
        private var screen: RepairedScreen
        private var index: UInt64 = 0
        private var clock = Instant.zero

        init(_ size: PixelSize, _ chroma: ChromaSampling) throws {
            encoder = try X264Encoder(VideoFormat(codec: .h264, size: size, bitrate: .megabits(80), chroma: chroma))
            picture = try PlanarPicture(size: size, chroma: chroma, color: .bt709)
            screen = RepairedScreen(size)
            screen.show(in: picture)
        }

        /// Returns the access unit of the next activity.
        func next(_ activity: RepairedScreen.Activity?) throws -> ReceivedFrame {
            clock = clock + .milliseconds(17)
            var request = EncodeRequest()
            if let activity { request = screen.step(activity, into: picture) }
            var bytes: [UInt8] = []
            var isKeyframe = false
            try encoder.encode(
                picture, damage: Region(), request: request, timing: FrameTiming(damaged: clock, captured: clock)
            ) {
                bytes += $0.annexB
                isKeyframe = $0.isKeyframe
            }
            defer { index += 1 }
            return ReceivedFrame(
                annexB: bytes, mediaTime: Int64(index) * 1500, frameIndex: index, isKeyframe: isKeyframe,
                firstArrival: clock, completed: clock)
        }
    }

    /// Returns a random sequence of typing, scrolling, refinement and film.
    private static func activities(_ count: Int) -> [RepairedScreen.Activity] {
        var generator = SeededGenerator(seed: 5)
        let turns: [RepairedScreen.Activity] = [.scrolling, .typing, .typing, .refinement, .scrolling, .window, .film]
        return (0..<count).map { _ in turns.randomElement(using: &generator) ?? .typing }
    }

    @Test(arguments: ChromaSampling.allCases, [PixelSize(width: 334, height: 216), PixelSize(width: 640, height: 368)])
    func picturesAreToTheSampleWhatTheEncoderHas(_ chroma: ChromaSampling, _ size: PixelSize) throws {
        let stream = try Stream(size, chroma)
        let decoder = try FFmpegDecoder(.h264)
        let plain = try FFmpegDecoder(.h264, usesPatches: false)
        for activity in [nil] + Self.activities(70).map(Optional.some) {
            let frame = try stream.next(activity)
            if frame.annexB.isEmpty { continue }
            let picture = try #require(try decoder.decode(frame))
            let samples = try picture.samples()
            let isWhatTheEncoderHas = samples == stream.encoder.reconstruction
            #expect(isWhatTheEncoderHas)
            let reference = try #require(try plain.decode(frame))
            let isWhatFFmpegHas = try samples == reference.samples()
            #expect(isWhatFFmpegHas)
            picture.markDrawn()
        }
        #expect(decoder.patchedPictures > 25)
        #expect(plain.patchedPictures == 0)
    }

    @Test(arguments: ChromaSampling.allCases) func whatAPictureSaysThatItChangesIsAll(_ chroma: ChromaSampling) throws {
        // The size is large enough for scrolling to be coded as motion.
        let size = PixelSize(width: 1024, height: 640)
        let stream = try Stream(size, chroma)
        let decoder = try FFmpegDecoder(.h264)
        var luma: [UInt8] = []
        var scrolls = 0
        let activities = (0..<4).flatMap { _ -> [RepairedScreen.Activity] in
            [.scrolling, .scrolling, .scrolling, .typing, .refinement]
        }
        for activity in [nil] + activities.map(Optional.some) {
            let frame = try stream.next(activity)
            if frame.annexB.isEmpty { continue }
            let before = luma
            let patched = decoder.patchedPictures
            let picture = try #require(try decoder.decode(frame))
            luma = Array(try picture.samples().prefix(size.area))
            defer { picture.markDrawn() }
            // x264 may change more than the requested damage.
            guard decoder.patchedPictures > patched else { continue }
            var wanted = before
            var drawn = picture.damage
            if let change = picture.change {
                scrolls += 1
                #expect(change.base == frame.frameIndex - 1)
                let scroll = change.scroll
                for rect in scroll.motion > 0 ? scroll.rects : scroll.rects.reversed() {
                    for row in 0..<rect.height {
                        let y = scroll.motion > 0 ? rect.y + row : rect.maxY - 1 - row
                        let from = max(0, min(size.height - 1, y + scroll.motion)) * size.width
                        let at = y * size.width
                        wanted.replaceSubrange(
                            at + rect.x..<at + rect.maxX, with: wanted[from + rect.x..<from + rect.maxX])
                    }
                }
                drawn = change.coded
            }
            for rect in try #require(drawn).rects {
                for y in rect.y..<rect.maxY {
                    let at = y * size.width
                    wanted.replaceSubrange(at + rect.x..<at + rect.maxX, with: luma[at + rect.x..<at + rect.maxX])
                }
            }
            #expect(zip(wanted, luma).count { $0 != $1 } == 0)
        }
        #expect(scrolls > 3)
    }

    @Test func aPictureThatNobodyHasDrawnYetStays() throws {
        let stream = try Stream(PixelSize(width: 640, height: 368), .yuv420)
        let decoder = try FFmpegDecoder(.h264)
        let first = try #require(try decoder.decode(stream.next(nil)))
        let before = try first.samples()
        let second = try #require(try decoder.decode(stream.next(.typing)))
        #expect(decoder.patchedPictures == 0)
        let isUntouched = try first.samples() == before
        #expect(isUntouched && first.isCurrent)
        second.markDrawn()
        let third = try #require(try decoder.decode(stream.next(.typing)))
        #expect(decoder.patchedPictures == 1)
        #expect(!second.isCurrent)
        let isRight = try third.samples() == stream.encoder.reconstruction
        let isUntouchedStill = try first.samples() == before
        #expect(isRight && isUntouchedStill)
    }

    /// Slices with flipped bits or truncated: decoding fails or returns some picture, and the next keyframe restores
    /// it.
    @Test func brokenSlicesDoNoHarm() throws {
        let stream = try Stream(PixelSize(width: 334, height: 216), .yuv420)
        var frames = [try stream.next(nil)]
        for activity in Self.activities(40) {
            let frame = try stream.next(activity)
            if !frame.annexB.isEmpty { frames.append(frame) }
        }
        var generator = SeededGenerator(seed: 23)
        let decoder = try FFmpegDecoder(.h264)
        var patched = 0
        for _ in 0..<15 {
            let seen = decoder.patchedPictures
            for frame in frames {
                var broken = frame
                if !frame.isKeyframe, Int.random(in: 0..<3, using: &generator) == 0 {
                    let head = 40
                    guard broken.annexB.count > head else { continue }
                    let at = Int.random(in: head..<broken.annexB.count, using: &generator)
                    if Bool.random(using: &generator) {
                        broken.annexB[at] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                    } else {
                        broken.annexB.removeSubrange(at...)
                    }
                }
                let picture = try? decoder.decode(broken)
                picture?.markDrawn()
                if picture == nil { decoder.reset() }
            }
            patched += decoder.patchedPictures - seen
        }
        #expect(patched > 20)
        let whole = try #require(try decoder.decode(frames[0]))
        whole.markDrawn()
        for frame in frames.dropFirst() { try decoder.decode(frame)?.markDrawn() }
        #expect(decoder.patchedPictures > patched)
    }

    @Test func slicesAreNumberedAnewWhateverTheirBytes() throws {
        let stream = try Stream(PixelSize(width: 640, height: 368), .yuv420)
        let syntax = try #require(PatchSyntax(annexB: stream.next(nil).annexB))
        let number = SliceNumber(bits: syntax.frameNumberBits)
        for activity in Self.activities(60) {
            let unit = try stream.next(activity).annexB
            for less in [1, 77, 4095] {
                var renumbered: [UInt8] = []
                var back: [UInt8] = []
                #expect(number.append(unit.span.bytes, less: less, to: &renumbered))
                #expect(number.append(renumbered.span.bytes, less: 4096 - less, to: &back))
                #expect(back == unit)
                let (old, new) = (Self.numbers(unit, number), Self.numbers(renumbered, number))
                #expect(new == old.map { ($0 + 4096 - less) % 4096 })
            }
        }
    }

    private static func numbers(_ unit: [UInt8], _ number: SliceNumber) -> [Int] {
        let bytes = unit.span.bytes
        return AnnexB.nalUnits(in: bytes).compactMap { number.read(bytes.extracting($0)) }
    }
}
