import HelioBitstream
import Testing

struct StreamMuxConfigTests {
    /// Configurations made by `audiotestsrc ! audio/x-raw,rate=44100,channels=2 ! avenc_aac ! rtpmp4apay` (GStreamer
    /// 1.22.0), and from `ffmpeg -f lavfi -i sine -ar 48000 -ac 2 -c:a aac -f rtp -rtpflags latm` (FFmpeg 5.1.9).
    @Test(arguments: [("40002420ADCA00", 44100), ("400023203FC0", 48000)])
    func readsWhatOthersWrite(text: String, rate: Int) throws {
        let mux = try #require(StreamMuxConfig(hex(text)))
        #expect(mux.subframes == 1 && mux.config.objectType == .lowComplexity)
        #expect(mux.config.sampleRate == rate && mux.config.channels == 2)
    }

    /// The bits 0 1 000010 0000 000: three access units in an audio mux element.
    @Test func severalUnits() {
        #expect(StreamMuxConfig(hex("420023203FC0"))?.subframes == 3)
    }

    @Test(arguments: [
        ("nothing", ""), ("cut in the configuration", "400023"), ("cut behind it", "40002320"),
        ("another version", "C00023203FC0"), ("framing of each stream", "000023203FC0"),
        ("two programs", "401023203FC0"), ("two layers", "400223203FC0"), ("no known object", "4001FF203FC0"),
        ("lengths that are agreed", "400023207FC0"),
    ])
    func refused(name: String, text: String) {
        #expect(StreamMuxConfig(hex(text)) == nil)
    }
}
