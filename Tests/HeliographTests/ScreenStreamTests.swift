import Foundation
import HelioCore
import HelioTestLanes
import Testing

@testable import Heliograph

/// Encoded pictures for an app's own transport.
@Suite("Screen as a stream", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct ScreenStreamTests {
    static let size = PixelSize(width: 320, height: 240)

    static func options(framesPerSecond: Int = 60) -> ScreenStream.Options {
        var options = ScreenStream.Options()
        options.subject = .testPicture(width: size.width, height: size.height)
        options.framesPerSecond = framesPerSecond
        return options
    }

    /// Returns the first NAL unit of a type, without its start code.
    static func unit(_ type: UInt8, in frame: EncodedFrame) -> ArraySlice<UInt8>? {
        let bytes = frame.annexB
        for place in 0..<bytes.count - 4
        where bytes[place] == 0 && bytes[place + 1] == 0 && bytes[place + 2] == 1 && bytes[place + 3] & 31 == type {
            return bytes[(place + 3)...]
        }
        return nil
    }

    /// The sequence parameter set in a stream's first picture.
    private static func parameters(in first: EncodedFrame?) throws -> ArraySlice<UInt8> {
        let first = try #require(first)
        return try #require(unit(7, in: first))
    }

    @Test("the test picture: numbers go on, the bar is where they say, and each picture is whole")
    func testPicture() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let stream = try ScreenStream.start(Self.options())
        let saved = try PictureFile(file)
        var times: [Duration] = []
        for try await frame in stream.frames {
            #expect(frame.isKeyframe == times.isEmpty)
            times.append(frame.presentationTime)
            try await saved.write(frame)
            if times.count == 30 { break }
        }
        await stream.stop()
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        let pictures = try CodedPictures(file, size: Self.size)
        try #require(pictures.count == 30)
        let numbers = (0..<30).map { pictures.number(of: $0) }
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "\(numbers)")
        for (picture, number) in numbers.enumerated() {
            let start = number * 4 % 288
            let bar = try #require(pictures.bar(of: picture))
            #expect(abs(bar.lowerBound - start) <= 1 && abs(bar.upperBound - start - 32) <= 1, "\(number): \(bar)")
            #expect(abs(pictures.mean(of: picture) - 79.6) < 2)
        }
    }

    @Test("it is Constrained Baseline, and a keyframe that was asked for brings its parameter sets")
    func keyframes() async throws {
        let stream = try ScreenStream.start(Self.options())
        var keyframes = 0
        for try await frame in stream.frames {
            guard frame.isKeyframe else {
                #expect(Self.unit(7, in: frame) == nil)
                continue
            }
            keyframes += 1
            let parameters = try #require(Self.unit(7, in: frame))
            let start = parameters.startIndex
            #expect(parameters[start + 1] == 66)
            #expect(parameters[start + 2] & 0x40 != 0, "constraint_set1_flag")
            #expect(Self.unit(8, in: frame) != nil)
            #expect(Self.unit(5, in: frame) != nil)
            if keyframes == 3 { break }
            stream.requestKeyframe()
        }
        await stream.stop()
    }

    @Test(
        "what the receiver takes is kept to",
        arguments: [
            // The most macroblocks of a picture, and per second: ITU-T H.264 table A-1.
            ("42e00d", 640, 480, 396, 11_880), ("42e01f", 1920, 1080, 3600, 108_000),
            ("64002a", 1920, 1080, 8704, 522_240), ("42e01f", 320, 240, 3600, 108_000),
        ])
    func levels(id: String, width: Int, height: Int, most: Int, mostPerSecond: Int) async throws {
        func blocks(_ width: Int, _ height: Int) -> Int { (width + 15) / 16 * ((height + 15) / 16) }
        var options = Self.options(framesPerSecond: 60)
        options.subject = .testPicture(width: width, height: height)
        options.profileLevelID = id
        options.fullChroma = true
        let stream = try ScreenStream.start(options)
        let coded = blocks(stream.size.width, stream.size.height)
        #expect(coded <= most && coded * stream.framesPerSecond <= mostPerSecond)
        #expect(coded >= min(most * 9 / 10, blocks(width, height)), "no smaller than need be")
        #expect((coded * (stream.framesPerSecond + 1) > mostPerSecond) || stream.framesPerSecond == 60)
        #expect(abs(stream.size.height * width - stream.size.width * height) <= 4 * width, "the shape stays")
        let frames = stream.frames.makeAsyncIterator()
        let parameters = try await Self.parameters(in: frames.next())
        #expect(parameters[parameters.startIndex + 1] == 66, "no 4:4:4 to who doesn't take it")
        #expect(Int(parameters[parameters.startIndex + 3]) <= Int(id.suffix(2), radix: 16) ?? 0)
        await stream.stop()
    }

    @Test("4:4:4 goes to who takes it")
    func fullChroma() async throws {
        var options = Self.options()
        options.profileLevelID = "f4001f"
        options.fullChroma = true
        let stream = try ScreenStream.start(options)
        let frames = stream.frames.makeAsyncIterator()
        let parameters = try await Self.parameters(in: frames.next())
        #expect(parameters[parameters.startIndex + 1] == 244)
        await stream.stop()
        while try await frames.next() != nil {}
    }

    @Test("what can't be is refused in words")
    func refusals() {
        var options = Self.options()
        options.profileLevelID = "baseline"
        #expect(throws: HelioError.self) { try ScreenStream.start(options) }
        options = Self.options()
        options.subject = .testPicture(width: 10, height: 10)
        #expect(throws: HelioError.self) { try ScreenStream.start(options) }
        options.subject = .screen(display: ":nowhere")
        #expect(throws: HelioError.self) { try ScreenStream.start(options) }
    }

    @Test("pictures that nobody takes go all together, and the end is told")
    func slowReader() async throws {
        let frames = ScreenFrames()
        func frame(_ number: Int) -> EncodedFrame {
            EncodedFrame(annexB: [UInt8(number)], presentationTime: .zero, isKeyframe: false)
        }
        for number in 0..<30 { #expect(frames.put(frame(number))) }
        #expect(!frames.put(frame(30)), "the next has to be a keyframe")
        #expect(frames.dropped == 31)
        #expect(frames.put(frame(31)))
        frames.finish(HelioError(.captureFailed, "gone"))
        let reader = frames.makeAsyncIterator()
        #expect(try await reader.next()?.annexB == [31])
        await #expect(throws: HelioError.self) { try await reader.next() }
    }

    @Test("a decoder tells what it decoded")
    func decoder() async throws {
        let (images, put) = AsyncStream.makeStream(of: DecodedImage.self)
        let decoder = PictureDecoder(needKeyframe: {}, onPicture: { put.yield($0) })
        let stream = try ScreenStream.start(Self.options())
        for try await frame in stream.frames {
            decoder.put(frame)
            if frame.isKeyframe { break }
        }
        for await image in images {
            #expect((image.width, image.height) == (320, 240))
            #expect(abs(image.meanLuma - 79.6) < 4)
            break
        }
        decoder.close()
        await stream.stop()
    }
}
