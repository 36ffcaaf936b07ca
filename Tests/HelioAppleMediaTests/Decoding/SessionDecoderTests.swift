import HelioAppleFakes
import HelioAppleMedia
import HelioBitstream
import HelioCore
import Synchronization
import Testing

@Suite("Decoding by sessions")
struct SessionDecoderTests {
    private static let small = PixelSize(width: 128, height: 96)

    private static func decoder(
        _ sessions: FakeSessions, codec: VideoCodec = .h264, mostSamples: Int = PictureLimit.standard,
        patience: Duration = .seconds(20)
    ) -> SessionDecoder<FakeSessions> {
        SessionDecoder(codec, maker: sessions, mostSamples: mostSamples, patience: patience)
    }

    @Test(
        "a known patch keeps its colour through the stream, at every size, matrix and range (row 92)",
        arguments: [
            PixelSize(width: 854, height: 480), PixelSize(width: 1280, height: 720),
            PixelSize(width: 1920, height: 1080),
        ],
        [
            ColorDescription.bt709, .bt601, ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: true),
            ColorDescription(primaries: 6, transfer: 1, matrix: 6, isFullRange: true),
        ])
    func fidelity(size: PixelSize, color: ColorDescription) throws {
        let decoder = Self.decoder(FakeSessions())
        for (turn, frame) in try CodedStream.make(size, color: color, frames: 2).enumerated() {
            let picture = try #require(try decoder.decode(frame))
            #expect(picture.description == PictureDescription(size: size, chroma: .yuv420, color: color))
            #expect(picture.frameIndex == frame.frameIndex && picture.mediaTime == frame.mediaTime)
            let conversion = ColorConversion(picture.description)
            for index in CodedStream.patches.indices {
                let x = (2 * index + 1) * size.width / (2 * CodedStream.patches.count)
                let rgb = Self.rgb(of: picture.buffer, x: x, y: size.height / 2, conversion)
                let expected = CodedStream.patch(atColumn: x, of: size, turn: turn)
                for channel in 0..<3 {
                    let difference = abs(Double(rgb[channel]) * 255 - Double(expected[channel]))
                    #expect(difference <= 6, "\(expected), channel \(channel): off by \(difference)")
                }
            }
        }
    }

    @Test("H.265 is decoded likewise, with all three parameter sets in the format")
    func h265() throws {
        let sessions = FakeSessions()
        let decoder = Self.decoder(sessions, codec: .h265)
        for frame in try CodedStream.make(Self.small, codec: .h265, frames: 3) {
            #expect(try decoder.decode(frame)?.size == Self.small)
        }
        let format = try #require(sessions.state.withLock { $0.formats.first })
        #expect(Set(format.parameterSets.compactMap { $0.first.map { $0 >> 1 & 0x3F } }) == [32, 33, 34])
        #expect(decoder.sessionsMade == 1 && decoder.isHardware)
    }

    @Test("a turned screen makes another session, and nothing is lost (row 74)")
    func sizeChange() throws {
        let sessions = FakeSessions()
        let decoder = Self.decoder(sessions)
        let turned = PixelSize(width: Self.small.height, height: Self.small.width)
        for (number, size) in [Self.small, turned, Self.small].enumerated() {
            for frame in try CodedStream.make(size, frames: 3, from: number * 3) {
                let picture = try #require(try decoder.decode(frame))
                #expect(picture.size == size)
                #expect(frame.isKeyframe ? picture.damage == nil : true)
            }
        }
        #expect(decoder.sessionsMade == 3)
        #expect(sessions.state.withLock { $0.invalidated } == 2)
    }

    @Test("other parameter sets go to the same session if it accepts them, else to another", arguments: [true, false])
    func parameterSets(areAccepted: Bool) throws {
        let sessions = FakeSessions()
        sessions.state.withLock { $0.acceptsOthers = areAccepted }
        let decoder = Self.decoder(sessions)
        let sdtv = ColorDescription(primaries: 6, transfer: 1, matrix: 6, isFullRange: false)
        for color in [ColorDescription.bt709, sdtv] {
            for frame in try CodedStream.make(Self.small, color: color, frames: 2) {
                #expect(try decoder.decode(frame)?.description.color == color)
            }
        }
        #expect(decoder.sessionsMade == (areAccepted ? 1 : 2))
    }

    @Test(
        "an invalid session at any frame costs no more than the pictures up to the next keyframe (row 147)",
        arguments: 0..<8, [FakeSessions.Trouble.invalidAtOnce, .invalidInCallback])
    func invalidSession(at index: Int, trouble: FakeSessions.Trouble) throws {
        let sessions = FakeSessions(troubles: [index: [trouble]])
        let decoder = Self.decoder(sessions)
        let frames = try CodedStream.make(Self.small, frames: 8, keyframes: [0, 4])
        var failed: [Int] = []
        for (number, frame) in frames.enumerated() {
            do {
                #expect(try decoder.decode(frame) != nil)
            } catch {
                failed.append(number)
                if number == index { #expect(!decoder.isHardware, "the hardware has done nothing wrong") }
            }
        }
        let isKeyframe = index % 4 == 0
        #expect(failed == (isKeyframe ? [] : Array(index..<(index / 4 + 1) * 4)))
        #expect(decoder.sessionsMade == (index > 4 ? 1 : 2))
    }

    @Test("while the app is in the background every keyframe fails once, and the first after it is shown")
    func background() throws {
        let sessions = FakeSessions()
        let decoder = Self.decoder(sessions)
        let frames = try CodedStream.make(Self.small, frames: 5, keyframes: [0, 1, 2, 3, 4])
        #expect(try decoder.decode(frames[0]) != nil)
        sessions.state.withLock {
            $0.troubles = [1: [.invalidAtOnce]]
            $0.makeStatuses = [.invalidSession, .invalidSession]
        }
        for frame in frames[1...2] {
            #expect(throws: HelioError.self) { try decoder.decode(frame) }
            decoder.reset()
        }
        #expect(try decoder.decode(frames[3]) != nil)
        #expect(decoder.drops[.invalidSession] == 2)
    }

    @Test("a picture that never comes ends the session, and one that comes late is not taken for another")
    func neverAndLate() throws {
        let sessions = FakeSessions(troubles: [1: [.never], 2: [.late], 4: [.twice], 5: [.elsewhere]])
        let frames = try CodedStream.make(Self.small, frames: 6, keyframes: [0, 2, 3, 4])
        let decoder = Self.decoder(sessions, patience: .zero)
        #expect(try decoder.decode(frames[0]) != nil)
        #expect(throws: HelioError.self) { try decoder.decode(frames[1]) }
        #expect(throws: HelioError.self) { try decoder.decode(frames[2]) }
        let picture = try #require(try decoder.decode(frames[3]))
        sessions.deliverLate()
        #expect(picture.frameIndex == 3)
        #expect(try decoder.decode(frames[4])?.frameIndex == 4)
        #expect(decoder.drops[.timedOut] == 2 && decoder.drops[.late] == 2)
        // The late sample's bytes are unchanged when it is decoded (defect 6).
        let given = frames[2].annexB
        let unit = StreamUnit(annexB: given.span.bytes, codec: .h264)
        #expect(sessions.state.withLock { $0.kept } == [unit.sample])
    }

    @Test("a picture from another thread is waited for")
    func otherThread() throws {
        let sessions = FakeSessions(troubles: [0: [.elsewhere], 1: [.elsewhere]])
        let decoder = Self.decoder(sessions)
        for frame in try CodedStream.make(Self.small, frames: 2) { #expect(try decoder.decode(frame) != nil) }
    }

    @Test("after a failure nothing is shown until a keyframe", arguments: [FakeSessions.Trouble.badData, .leftOut])
    func failures(trouble: FakeSessions.Trouble) throws {
        let decoder = Self.decoder(FakeSessions(troubles: [1: [trouble]]))
        let frames = try CodedStream.make(Self.small, frames: 5, keyframes: [0, 3])
        let shown = frames.map { frame in (try? decoder.decode(frame)) != nil }
        #expect(shown == [true, false, false, true, true])
        #expect(decoder.drops[.awaitingKeyframe] == 1)
    }

    @Test("pictures that are too large are refused before there is a session for them")
    func refused() throws {
        let sessions = FakeSessions()
        let decoder = Self.decoder(sessions, mostSamples: Self.small.area)
        let large = try CodedStream.make(PixelSize(width: 320, height: 240), frames: 2)
        #expect(throws: HelioError.self) { try decoder.decode(large[0]) }
        #expect(decoder.refusedSize == PixelSize(width: 320, height: 240))
        #expect(throws: HelioError.self) { try decoder.decode(large[1]) }
        #expect(decoder.refusedSize == nil)
        #expect(sessions.state.withLock { $0.formats }.isEmpty)
        #expect(try decoder.decode(CodedStream.make(Self.small, frames: 1)[0]) != nil)
    }

    @Test("garbage is an error or no picture, and never more than that")
    func garbage() throws {
        let decoder = Self.decoder(FakeSessions())
        let frame = try CodedStream.make(Self.small, frames: 1)[0]
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<300 {
            var broken = frame
            for _ in 0..<8 {
                let place = Int.random(in: 0..<broken.annexB.count, using: &generator)
                broken.annexB[place] = UInt8.random(in: 0...255, using: &generator)
            }
            broken.annexB.removeLast(Int.random(in: 0..<broken.annexB.count, using: &generator))
            _ = try? decoder.decode(broken)
        }
        for bytes: [UInt8] in [[], [0, 0, 0, 1], [1, 2, 3], [0, 0, 1, 0x65], [0, 0, 1, 0x67], [0, 0, 1, 0x68, 1]] {
            var broken = frame
            broken.annexB = bytes
            #expect((try? decoder.decode(broken)) == nil)
        }
        decoder.reset()
        #expect(try decoder.decode(frame) != nil)
    }

    @Test("a sample has each NAL unit behind its length, and going back gives the same bytes (rows 42 and 43)")
    func samples() throws {
        let frame = try CodedStream.make(Self.small, frames: 1)[0]
        let bytes = frame.annexB
        let unit = StreamUnit(annexB: bytes.span.bytes, codec: .h264)
        #expect(unit.isKeyframe && unit.hasSlices && unit.parameterSets.count == 2)
        var kept: [UInt8] = []
        for range in AnnexB.nalUnits(in: bytes.span.bytes) {
            let type = bytes[range.lowerBound] & 0x1F
            if ![7, 8, 9].contains(type) { kept += AnnexB.startCode + bytes[range] }
        }
        #expect(AVCC.annexB(from: unit.sample.span.bytes) == kept && !kept.isEmpty)
    }

    /// Returns a pixel's colour as the shader computes it from the samples.
    private static func rgb(
        of picture: FakePixels, x: Int, y: Int, _ conversion: ColorConversion
    ) -> SIMD3<Float> {
        let luma = picture.first[y * picture.firstStride + x]
        let chroma = picture.chroma + y / 2 * picture.chromaStride + x / 2 * 2
        let (cb, cr) = (chroma[0], chroma[1])
        return conversion.rgb(of: SIMD3(Float(luma), Float(cb), Float(cr)) / 255)
    }
}
