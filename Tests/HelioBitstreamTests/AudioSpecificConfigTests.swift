import HelioBitstream
import HelioCore
import Testing

struct AudioSpecificConfigTests {
    /// Configurations made by `ffmpeg -f lavfi -i sine -ar RATE -ac CHANNELS -c:a aac -f rtp -sdp_file` (FFmpeg 5.1.9).
    @Test(arguments: [
        ("119056E500", 48000, 2), ("121056E500", 44100, 2), ("140856E500", 16000, 1), ("158856E500", 8000, 1),
        ("11B056E500", 48000, 6),
    ])
    func readsWhatFFmpegWrites(text: String, rate: Int, channels: Int) throws {
        let config = try #require(AudioSpecificConfig(hex(text)))
        #expect(config.objectType == .lowComplexity)
        #expect(config.sampleRate == rate)
        #expect(config.channels == channels)
        #expect(config.unitLength == 1024)
        #expect(config.extendedSampleRate == nil)
        #expect(config.bytes == Array(hex(text).prefix(2)))
    }

    /// Configurations derived by hand from ISO/IEC 14496-3 table 1.15.
    @Test func readsTheRest() throws {
        // 00010 1111 000000001011101110000000 0010 0 0 0
        let explicit = try #require(AudioSpecificConfig(hex("17 805D C0 10")))
        #expect(explicit.sampleRate == 48000 && explicit.channels == 2)
        #expect(explicit.bytes == hex("1190"))
        // 00101 0110 0010 0011 00010 0 0 0: 24 kHz, extended to 48 kHz
        let replicated = try #require(AudioSpecificConfig(hex("2B 11 88 00")))
        #expect(replicated.sampleRate == 24000 && replicated.extendedSampleRate == 48000 && replicated.channels == 2)
        #expect(AudioSpecificConfig(replicated.bytes) == replicated)
        // 11101 …: parametric stereo
        #expect(AudioSpecificConfig(hex("EB 09 88 00"))?.extendedSampleRate == 48000)
        // 00010 0011 0010 1 1 (14 zeros) 0
        let short = try #require(AudioSpecificConfig(hex("11 96 00 00")))
        #expect(short.unitLength == 960)
        #expect(AudioSpecificConfig(short.bytes) == short)
        #expect(AudioSpecificConfig(hex("11 B8"))?.channels == 8)
        let odd = AudioSpecificConfig(SoundFormat(sampleRate: 50_000, channels: 1))
        #expect(AudioSpecificConfig(odd.bytes) == odd)
    }

    @Test(arguments: [
        ("nothing", ""), ("cut", "11"), ("no object type", "01 90"), ("ELD", "F8 E6 40 00"), ("USAC", "F9 46 40 00"),
        ("SBR of nothing known", "2B 11 80 00"), ("a reserved rate", "16 90"), ("rate cut", "17 80 5D"),
        ("rate 0", "17 80 00 00 10"), ("rate of megahertz", "17 FF FF FF 90"), ("channels by another element", "11 80"),
        ("reserved channels", "11 C0"), ("core coder's delay cut", "11 92"),
    ])
    func refused(name: String, text: String) {
        #expect(AudioSpecificConfig(hex(text)) == nil)
    }
}
