import HelioCore

@testable import HelioRecording

/// A recording on virtual time of 30 pictures a second, passed as from a screen.
final class RecordedTake {
    let recording: Recording
    private let told: Told
    /// The capture clock is that of another machine.
    var captured = Instant(nanoseconds: 77_000_000_000_000)
    var now = Instant(nanoseconds: 5_000_000_000)

    private final class Told { var news: [RecordingNews] = [] }

    init(_ path: String, sound: [SoundOrigin] = [], overwrites: Bool = false) throws {
        var options = RecorderOptions(path: path)
        options.sound = sound
        options.overwrites = overwrites
        let told = Told()
        self.told = told
        recording = try Recording(options) { told.news.append($0) }
    }

    /// Advances the time in the steps of the recorder's thread.
    func pass(_ duration: Duration) {
        var left = duration
        while left > .zero {
            let step = min(left, .milliseconds(100))
            now = now + step
            captured = captured + step
            left -= step
            recording.tick(now: now)
        }
    }

    func take(
        _ units: [CodedMedia.Unit], codec: VideoCodec = .h264, every interval: Duration = .nanoseconds(33_333_333)
    ) {
        for unit in units {
            recording.take(
                RecordedPicture(
                    codec: codec, annexB: unit.bytes, captured: captured, isKeyframe: unit.isKeyframe),
                since: now)
            pass(interval)
        }
    }

    func take(sound packet: [UInt8], of origin: SoundOrigin = .system, captured: Instant) {
        recording.take(
            RecordedSound(origin: origin, payload: packet, captured: captured), length: 960, since: now)
    }

    func finish() { recording.finish(now: now) }

    var failure: String? {
        for case .failed(let error) in told.news { return error.message }
        return nil
    }

    var files: [String] {
        told.news.compactMap { news in
            switch news {
            case .began(let path), .continued(let path): path
            case .failed: nil
            }
        }
    }
}
