import HelioCore
import Testing

struct EncoderPresetTests {
    /// Row 139 with the correction of defect 16: 300 kbit/s is below the minimum of 1000.
    @Test func startsNoLowerThanTheLeast() {
        let preset = EncoderPreset.relayedPortrait
        #expect(preset.size == PixelSize(width: 720, height: 1280))
        #expect(preset.startBitrate == 1_000_000)
        #expect(preset.minimumBitrate == 1_000_000)
        #expect(preset.framesPerSecond == 30)
        #expect(preset.keyframeInterval == 10)
        #expect(preset.keepsOrder && preset.isRealTime)
    }

    /// The numbers of row 141: the average bitrate is a ceiling, and the data rate limit is in bytes per a number of
    /// seconds.
    @Test func limitsAreBytesAndSeconds() {
        let preset = EncoderPreset.relayedPortrait
        #expect(preset.maximumBitrate == 44_236_800)
        #expect(EncoderPreset.limit(ofAverage: 44_236_800) == .init(bytes: 11_059_200, seconds: 1))
        #expect(preset.dataRateLimit == .init(bytes: 250_000, seconds: 1))
    }

    @Test(arguments: [(300, 1000, 2000, 1000), (5000, 1000, 2000, 2000), (1500, 1000, 2000, 1500), (-1, 0, 0, 1)])
    func rates(start: Int, least: Int, most: Int, begins: Int) {
        let preset = EncoderPreset(
            size: PixelSize(width: 16, height: 16), startBitrate: start, minimumBitrate: least, maximumBitrate: most,
            framesPerSecond: 0, keyframeInterval: 0)
        #expect(preset.startBitrate == begins)
        #expect(preset.minimumBitrate <= preset.startBitrate && preset.startBitrate <= preset.maximumBitrate)
        #expect(preset.framesPerSecond == 1 && preset.keyframeInterval == 1)
    }

    @Test("what an app wants is kept to within the preset") func wanted() {
        let preset = EncoderPreset.broadcast
        #expect(preset.bitrate(wanted: nil) == 4_000_000)
        #expect(preset.bitrate(wanted: 2_500_000) == 2_500_000)
        #expect(preset.bitrate(wanted: 1) == 1_000_000)
        #expect(preset.bitrate(wanted: .max) == preset.maximumBitrate)
        let screen = PixelSize(width: 1668, height: 2388)
        #expect(preset.size(of: screen) == screen.fitted(within: PixelSize(width: 720, height: 1280)))
        let large = PixelSize(width: 4000, height: 4000)
        #expect(preset.size(of: screen, largest: large) == preset.size(of: screen))
        let small = PixelSize(width: 640, height: 360)
        #expect(preset.size(of: PixelSize(width: 1920, height: 1080), largest: small) == small)
        #expect(
            preset.size(of: PixelSize(width: 1080, height: 1920), largest: small) == PixelSize(width: 360, height: 640))
        #expect(preset.size(of: screen, largest: PixelSize(width: 1, height: 1)) == PixelSize(width: 16, height: 16))
    }
}
