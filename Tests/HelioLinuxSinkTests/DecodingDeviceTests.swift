import HelioBitstream
import HelioCore
import Synchronization
import Testing

@testable import HelioLinuxSink

/// Decoding by a device that a software decoder simulates. It was not run on an NVIDIA card, since none was available.
@Suite struct DecodingDeviceTests {
    private static let small = PixelSize(width: 320, height: 240)
    private static let large = PixelSize(width: 640, height: 368)

    private static func stream(_ size: PixelSize, _ codec: VideoCodec = .h264) throws -> [ReceivedFrame] {
        try TestStream.generate("testsrc2=s=\(size):r=30", codec: codec, frames: 3, parameters: "")
    }

    /// A software decoder that switches to `device` for pictures of the size `large` or more.
    private static func decoder(_ device: StandInDevice, _ codec: VideoCodec = .h264) throws -> FFmpegDecoder {
        try FFmpegDecoder(codec, device: nil, choose: { $1.area >= large.area ? device : nil })
    }

    @Test("pictures come by one copy each, with software's samples", arguments: VideoCodec.allCases)
    func oneCopy(codec: VideoCodec) throws {
        let device = StandInDevice()
        let decoder = try FFmpegDecoder(codec, device: device)
        let software = try FFmpegDecoder(codec)
        #expect(decoder.isHardware && decoder.summary.hasSuffix("NVDEC") && !decoder.decodesParts)
        for frame in try Self.stream(Self.small, codec) {
            let picture = try #require(try decoder.decode(frame))
            let expected = try #require(try software.decode(frame))
            #expect(decoder.decodedByHardware && picture.hasPairedChroma && !expected.hasPairedChroma)
            #expect(picture.description == expected.description && picture.frameIndex == frame.frameIndex)
            #expect(
                TestPicture.bytes(of: TestPicture.convert(picture))
                    == TestPicture.bytes(of: TestPicture.convert(expected)))
        }
        #expect(device.counts == StandInDevice.Counts(attached: 1, copies: 3))
    }

    @Test(
        "the decoder changes at a keyframe of a size for which the device is faster, and back",
        arguments: VideoCodec.allCases)
    func changesAtKeyframes(codec: VideoCodec) throws {
        let device = StandInDevice()
        let decoder = try Self.decoder(device, codec)
        for (size, isHardware) in [(Self.small, false), (Self.large, true), (Self.small, false)] {
            for frame in try Self.stream(size, codec) {
                let picture = try #require(try decoder.decode(frame))
                #expect(picture.size == size && decoder.isHardware == isHardware)
                #expect(decoder.decodedByHardware == isHardware && picture.hasPairedChroma == isHardware)
            }
            #expect(decoder.summary.hasSuffix(isHardware ? "NVDEC" : "software"))
        }
        #expect(device.counts == StandInDevice.Counts(attached: 1, copies: 3))
    }

    @Test("a keyframe that has begun in parts goes to the device whole")
    func parts() throws {
        let decoder = try Self.decoder(StandInDevice())
        let before = try Self.stream(Self.small)
        #expect(try decoder.decode(before[0]) != nil && decoder.decode(before[1]) != nil)
        var keyframe = try Self.stream(Self.large)[0]
        let parts = TestStream.parts(of: keyframe)
        let start = ReceivedPart.Place(timestamp: UInt32(keyframe.mediaTime), offset: 0)
        let part = ReceivedPart(annexB: parts[0], start: start)
        try decoder.begin(part)
        keyframe.handedOut = parts[0].count
        #expect(try decoder.decode(keyframe)?.size == Self.large && decoder.isHardware)
    }

    @Test("a device that leaves a stream to FFmpeg's software is left at the next keyframe, for good")
    func unable() throws {
        let decoder = try Self.decoder(StandInDevice(isAble: false))
        let frames = try Self.stream(Self.large)
        #expect(try decoder.decode(frames[0]) != nil && decoder.isHardware && !decoder.decodedByHardware)
        for _ in 0..<2 {
            #expect(try decoder.decode(frames[0]) != nil && !decoder.isHardware && decoder.decodesParts)
            #expect(try decoder.decode(frames[1]) != nil)
        }
    }

    @Test("a copy that fails is the decoder's failure, and software decodes the same stream")
    func failure() throws {
        let frames = try Self.stream(Self.large)
        let decoder = try Self.decoder(StandInDevice(failsFrom: 1))
        #expect(try decoder.decode(frames[0]) != nil)
        let error = #expect(throws: HelioError.self) { try decoder.decode(frames[1]) }
        #expect(error?.code == .decoderFailed && error?.message.contains("can't be read back") == true)
        #expect(decoder.refusedSize == nil)
        let software = try DecoderCatalog.make(.h264, choice: .software)
        for frame in frames { #expect(try software.decode(frame) != nil) }
    }

    @Test("a test picture counts only if the device itself decodes it", arguments: VideoCodec.allCases)
    func testPicture(codec: VideoCodec) {
        #expect(DecoderCatalog.decodes(codec, by: StandInDevice()))
        #expect(!DecoderCatalog.decodes(codec, by: StandInDevice(isAble: false)))
        #expect(!DecoderCatalog.decodes(codec, by: StandInDevice(failsFrom: 0)))
    }
}
