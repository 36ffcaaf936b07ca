import HelioBitstream
import HelioCore
import Testing

@testable import HelioRTMP

struct FLVTests {
    static let video: [(FLVVideoTag, [UInt8])] = [
        (.configuration(.h264, [1, 2]), [0x17, 0, 0, 0, 0, 1, 2]),
        (.picture(.h264, isKeyframe: true, offset: 0, sample: [9]), [0x17, 1, 0, 0, 0, 9]),
        (.picture(.h264, isKeyframe: false, offset: 40, sample: [9]), [0x27, 1, 0, 0, 40, 9]),
        (.picture(.h264, isKeyframe: false, offset: -2, sample: [9]), [0x27, 1, 0xFF, 0xFF, 0xFE, 9]),
        (.end(.h264), [0x17, 2, 0, 0, 0]),
        (.configuration(.h265, [1, 2]), [0x90, 0x68, 0x76, 0x63, 0x31, 1, 2]),
        (.picture(.h265, isKeyframe: true, offset: 0, sample: [9]), [0x93, 0x68, 0x76, 0x63, 0x31, 9]),
        (.picture(.h265, isKeyframe: false, offset: 33, sample: [9]), [0xA1, 0x68, 0x76, 0x63, 0x31, 0, 0, 33, 9]),
        (.end(.h265), [0x92, 0x68, 0x76, 0x63, 0x31]),
    ]

    @Test(arguments: video)
    func videoTag(tag: FLVVideoTag, bytes: [UInt8]) {
        #expect(tag.bytes == bytes)
        #expect(FLVVideoTag(bytes) == tag)
    }

    /// Other codecs, other packet types, and truncations.
    @Test(
        arguments: [
            [], [0x17], [0x17, 1, 0, 0], [0x12, 1, 0, 0, 0], [0x17, 3, 0, 0, 0], [0x57, 1, 0, 0, 0],
            [0x90, 0x61, 0x76, 0x30, 0x31, 1], [0x94, 0x68, 0x76, 0x63, 0x31, 1], [0x91, 0x68, 0x76, 0x63, 0x31, 1],
            [0x90, 0x68],
        ] as [[UInt8]])
    func otherVideo(bytes: [UInt8]) { #expect(FLVVideoTag(bytes) == nil) }

    static let sound: [(FLVSoundTag, [UInt8])] = [
        (.configuration(.aac, [0x11, 0x90]), [0xAF, 0, 0x11, 0x90]), (.packet(.aac, [5]), [0xAF, 1, 5]),
        (.configuration(.opus, [7]), [0x90, 0x4F, 0x70, 0x75, 0x73, 7]),
        (.packet(.opus, [5]), [0x91, 0x4F, 0x70, 0x75, 0x73, 5]),
    ]

    @Test(arguments: sound)
    func soundTag(tag: FLVSoundTag, bytes: [UInt8]) {
        #expect(tag.bytes == bytes)
        #expect(FLVSoundTag(bytes) == tag)
    }

    @Test(
        arguments: [[], [0xAF], [0xAF, 2], [0x2F, 1], [0x91, 0x4F, 0x70, 0x75], [0x92, 0x4F, 0x70, 0x75, 0x73]]
            as [[UInt8]])
    func otherSound(bytes: [UInt8]) { #expect(FLVSoundTag(bytes) == nil) }

    @Test func soundConfigurations() {
        let aac = RTMPSound.aac(AudioSpecificConfig(.init(sampleRate: 48000, channels: 2)))
        #expect(aac.configuration == .configuration(.aac, [0x11, 0x90]))
        // RFC 7845 section 5.1: version 1, 2 channels, 312 samples to skip, 48000, no gain, family 0.
        #expect(
            RTMPSound.opus(channels: 2).configuration
                == .configuration(
                    .opus,
                    [UInt8]("OpusHead".utf8) + [1, 2, 0x38, 0x01, 0x80, 0xBB, 0, 0, 0, 0, 0]))
    }

    // x264, 320x240, Constrained Baseline.
    static let sps: [UInt8] = [
        0x67, 0x42, 0xC0, 0x0D, 0xDA, 0x05, 0x07, 0xE8, 0x40, 0x00, 0x00, 0x03, 0x00, 0x40, 0x00, 0x00, 0x0F, 0x03,
        0xC5, 0x0A, 0xA8,
    ]
    static let pps: [UInt8] = [0x68, 0xCE, 0x0F, 0xC8]
    static let idr: [UInt8] = [0x65, 0x88, 0x84]
    static let slice: [UInt8] = [0x41, 0x9A, 0x02]

    static func annexB(_ units: [UInt8]...) -> [UInt8] { units.flatMap { AnnexB.startCode + $0 } }

    @Test func record() throws {
        let record = try #require(DecoderRecord.make(.h264, [Self.sps, Self.pps]))
        #expect(record == [1, 0x42, 0xC0, 0x0D, 0xFF, 0xE1, 0, 21] + Self.sps + [1, 0, 4] + Self.pps)
        #expect(DecoderRecord.parameterSets(.h264, in: record) == [Self.sps, Self.pps])
        for end in 0..<record.count { #expect(DecoderRecord.parameterSets(.h264, in: Array(record[..<end])) == nil) }
        #expect(DecoderRecord.make(.h264, [Self.pps]) == nil)
        #expect(DecoderRecord.make(.h264, [Self.sps]) == nil)
        #expect(DecoderRecord.make(.h265, [Self.sps, Self.pps]) == nil)
    }

    @Test func writer() throws {
        var writer = FLVVideoWriter(.h264)
        #expect(throws: FLVVideoFault.noParameterSets) { try writer.write(annexB: Self.annexB(Self.idr)) }
        #expect(throws: FLVVideoFault.noPicture) { try writer.write(annexB: Self.annexB(Self.sps, Self.pps)) }
        #expect(writer.size == PixelSize(width: 320, height: 240))
        // Uses the parameter sets that were passed before, and omits the delimiter.
        let first = try writer.write(annexB: Self.annexB([0x09, 0xF0], Self.idr))
        #expect(first.isKeyframe)
        #expect(first.configuration != nil)
        #expect(first.picture == .picture(.h264, isKeyframe: true, offset: 0, sample: [0, 0, 0, 3] + Self.idr))
        let second = try writer.write(annexB: Self.annexB(Self.slice), offset: 33)
        #expect(!second.isKeyframe && second.configuration == nil)
        #expect(second.picture == .picture(.h264, isKeyframe: false, offset: 33, sample: [0, 0, 0, 3] + Self.slice))
        #expect(try writer.write(annexB: Self.annexB(Self.sps, Self.pps, Self.idr)).configuration == nil)
        // The parameter sets have changed.
        let other = try writer.write(annexB: Self.annexB(Self.sps, Self.pps + [0x80], Self.idr))
        #expect(other.configuration != nil)
    }

    @Test func metadata() throws {
        var metadata = RTMPMetadata(
            codec: .h265, size: PixelSize(width: 1280, height: 720), sound: .opus(channels: 2))
        metadata.framesPerSecond = 30
        metadata.bitrate = .kilobits(2500)
        let properties = try #require(RTMPMetadata.read(metadata.message(streamID: 1)))
        #expect(properties == metadata.properties)
        let object = AMF0Value.ecmaArray(properties)
        #expect(object["videocodecid"] == .number(1_752_589_105))
        #expect(object["audiocodecid"] == .number(1_332_770_163))
        #expect(object["width"] == .number(1280))
        #expect(object["videodatarate"] == .number(2500))
    }
}
