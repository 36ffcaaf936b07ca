import HelioBitstream
import HelioCore
import Testing

@testable import HelioMPEGTS

/// The headers of PES packets, and of the units in them.
struct HeaderTests {
    /// The largest timestamp, and 1, by hand from the fields of section 2.4.3.7.
    @Test func times() {
        var bytes: [UInt8] = []
        PESHeader.write(.video, presentation: (1 << 33) - 1, decode: 1, into: &bytes)
        #expect(
            bytes == [
                0, 0, 1, 0xE0, 0, 0, 0x84, 0xC0, 10, 0x3F, 0xFF, 0xFF, 0xFF, 0xFF, 0x11, 0x00, 0x01, 0x00, 0x03,
            ])
        let header = PESHeader(bytes.span.bytes, stream: .video)
        #expect(header?.presentation == (1 << 33) - 1)
        #expect(header?.decode == 1)
        #expect(header?.size == 19)
    }

    /// Timestamps are written modulo 2^33.
    @Test(arguments: [0, 1, -1, 1 << 33, (1 << 33) + 5, (1 << 40) - 7, .max, .min] as [Int64])
    func wrapping(time: Int64) {
        var bytes: [UInt8] = []
        PESHeader.write(.sound, presentation: time, decode: nil, into: &bytes)
        #expect(bytes.count == 14)
        #expect(PESHeader(bytes.span.bytes, stream: .sound)?.presentation == time & ((1 << 33) - 1))
    }

    @Test(arguments: [
        (1, "prefix"), (3, "stream"), (6, "marks"), (7, "times"), (8, "length"), (9, "mark of a time"),
        (11, "marker bit"), (13, "marker bit"), (14, "mark of the second"),
    ])
    func refused(offset: Int, name: String) {
        var bytes: [UInt8] = []
        PESHeader.write(.video, presentation: 5, decode: 4, into: &bytes)
        bytes[offset] ^= offset == 8 ? 0xFF : offset == 11 || offset == 13 ? 1 : 0x40
        #expect(PESHeader(bytes.span.bytes, stream: .video) == nil)
    }

    /// 16 bits of 7FE0, and sizes as sums of bytes; the draft's example has 0 bytes of FF for sizes up to 254.
    @Test(
        arguments: [
            (3, [0x7F, 0xE0, 3]), (254, [0x7F, 0xE0, 254]), (255, [0x7F, 0xE0, 255, 0]), (256, [0x7F, 0xE0, 255, 1]),
            (1275, [0x7F, 0xE0, 255, 255, 255, 255, 255, 0]),
        ] as [(Int, [UInt8])])
    func opus(size: Int, bytes: [UInt8]) {
        var written: [UInt8] = []
        OpusControlHeader.write(packetSize: size, into: &written)
        #expect(written == bytes)
        let header = OpusControlHeader(([9] + written).span.bytes, at: 1)
        #expect(header?.packetSize == size)
        #expect(header?.size == written.count)
    }

    /// Trims and an extension are between the size and the packet.
    @Test func opusWithTrims() {
        let bytes: [UInt8] = [0x7F, 0xFC, 10, 0x00, 0x10, 0x00, 0x20, 2, 0xAA, 0xBB]
        #expect(OpusControlHeader(bytes.span.bytes, at: 0)?.size == 10)
        for count in 0..<bytes.count {
            #expect(OpusControlHeader(Array(bytes[..<count]).span.bytes, at: 0) == nil)
        }
    }

    /// The header of AAC-LC at 48 kHz in stereo, with a unit of 100 bytes, as FFmpeg writes it.
    @Test func adts() throws {
        let config = AudioSpecificConfig(SoundFormat(sampleRate: 48000, channels: 2))
        let header = try #require(ADTSHeader(config, unitSize: 100))
        var bytes: [UInt8] = []
        header.write(into: &bytes)
        #expect(bytes == [0xFF, 0xF1, 0x4C, 0x80, 0x0D, 0x7F, 0xFC])
        #expect(ADTSHeader(bytes.span.bytes) == header)
        #expect(ADTSHeader(config, unitSize: 8184) != nil)
        #expect(ADTSHeader(config, unitSize: 8185) == nil)
        #expect(ADTSHeader(AudioSpecificConfig(SoundFormat(sampleRate: 47999, channels: 2)), unitSize: 1) == nil)
    }
}
