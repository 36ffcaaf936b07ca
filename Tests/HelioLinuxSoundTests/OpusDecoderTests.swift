import HelioCore
import HelioSoundCodecs
import Testing

@Suite struct OpusDecoderTests {
    @Test("a rate that Opus has not is refused", arguments: [44100, 0, 96000])
    func rates(rate: Int) {
        let error = #expect(throws: HelioError.self) {
            try OpusDecoder(SoundFormat(sampleRate: rate, channels: 2))
        }
        #expect(error?.code == .unsupported)
    }

    @Test("bytes that are no packet are thrown, and harm nothing after them")
    func junk() throws {
        let decoder = try OpusDecoder(.standard)
        // A code 3 packet with a frame count of zero (RFC 6716 section 3.2.5).
        for payload: [UInt8] in [[], [0xFF, 0x00]] {
            let error = #expect(throws: HelioError.self) { try decoder.decode(payload) }
            #expect(error?.code == .decoderFailed)
        }
        // CELT, fullband, 5 ms, empty: a DTX frame.
        #expect(try decoder.decode([0xE8]).count == 480)
    }
}
