import HelioCore
import HelioPlayout

/// A viewer's output of one origin's sound, and the playout from which it requests samples every 20 ms. All sound
/// samples are 0.25; lower values are missing sound.
final class Loudspeaker {
    private static let rate = 8000
    private static let chunk = Duration.milliseconds(20)
    private static let loud: Float = 0.2

    let playout: SoundPlayout
    private(set) var nextRender: Instant
    private var samples = [Float](repeating: 0, count: 160)
    /// The numbers of requested samples, and of those that were sound.
    private(set) var asked = 0
    private(set) var heard = 0
    /// The longest time from a sample's capture to its output.
    private(set) var oldest = Duration.zero

    init(now: Instant) {
        var configuration = SoundPlayout.Configuration(output: SoundFormat(sampleRate: Self.rate, channels: 1))
        configuration.filterTaps = 2
        playout = SoundPlayout(configuration) { SteadyDecoder($0, $1) }
        nextRender = now + Self.chunk
    }

    func render(now: Instant) {
        while nextRender <= now {
            var span = samples.mutableSpan
            playout.render(&span, heard: nextRender, now: nextRender)
            nextRender = nextRender + Self.chunk
            asked += samples.count
            for sample in samples where abs(sample) > Self.loud { heard += 1 }
            if let presented = playout.presented { oldest = max(oldest, presented.heard - presented.captured) }
        }
    }

    /// Restarts the measurements.
    func measureAnew() { (asked, heard, oldest) = (0, 0, .zero) }
}

/// Decodes `TestSound`.
private final class SteadyDecoder: SoundDecoding {
    let codec: SoundCodec
    let format: SoundFormat

    init(_ codec: SoundCodec, _ format: SoundFormat) {
        self.codec = codec
        self.format = format
    }

    func decode(_ payload: [UInt8]) throws(HelioError) -> [Float] {
        guard let mark = TestSound.mark(payload) else { throw HelioError(.decoderFailed, "Nobody has said that.") }
        return [Float](repeating: 0.25, count: mark.frames * format.channels)
    }

    func recover(from next: [UInt8], frames: Int) throws(HelioError) -> [Float]? { nil }
    func conceal(frames: Int) throws(HelioError) -> [Float]? { nil }
}
