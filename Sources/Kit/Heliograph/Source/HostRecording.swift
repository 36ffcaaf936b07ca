internal import HelioCore
private import HelioGround
private import HelioRecording
internal import HelioSharing

/// A source's recording, an audience of the main encoding. It gets each slice after the viewers.
final class HostRecording: Sendable {
    /// The main encoding, as the recorder sees it.
    private struct MainEncoding: RecordedStream {
        let feed: any SourceFeed
        let audience: Watchers
        let events: SourceEvents

        func requestKeyframe(_ reason: String) { feed.requestKeyframe(reason) }
        func repeatPicture() { feed.repeatPicture() }

        func take(_ news: RecordingNews) {
            switch news {
            case .began(let path), .continued(let path): events.put(.recording(file: path))
            case .failed(let error):
                audience.endRecording()
                events.put(.recordingFailed(error))
            }
        }
    }

    private let recorder: Recorder
    private let sound: [SoundOrigin]
    private let audience: Watchers

    /// Creates the file. Throws `invalidArgument` if the options are invalid, and `systemFailed` if the file can't be
    /// created.
    ///
    /// - Parameters:
    ///   - sound: the origins of sound to record.
    ///   - supply: the stream to record; `set` changes its codec.
    init(
        _ options: RecordingOptions, sound: [SoundOrigin], of supply: StreamSupply, events: SourceEvents
    ) throws(HelioError) {
        self.sound = sound
        audience = supply.audience
        var settings = options.recorderOptions(sound: sound)
        settings.codec = supply.format.codec
        recorder = try Recorder(
            settings, of: MainEncoding(feed: supply.feed, audience: supply.audience, events: events))
    }

    /// Adds the recording to the stream's audiences, so that pictures and sound are captured for it.
    func begin() {
        audience.beginRecording(
            sound: Dictionary(uniqueKeysWithValues: sound.map { ($0, SoundDemand(encodes: [Self.encode])) }))
    }

    /// The encoding of the recorded sound: Opus as viewers are sent it, so that the same packets serve both.
    private static var encode: SoundEncode { .opus }

    /// Records a slice of the main encoding; ignores other slices. Called on the media thread; never blocks.
    func take(_ slice: EncodedSlice) { if slice.encoding == .main { recorder.put(slice) } }

    func take(_ sound: EncodedSound) {
        guard sound.encode == Self.encode else { return }
        recorder.put(RecordedSound(origin: sound.origin, payload: sound.payload, captured: sound.captured))
    }

    /// Sets the codec of the following slices.
    func set(_ codec: VideoCodec) { recorder.set(codec) }

    var status: RecordingStatus { RecordingStatus(recorder.statistics, now: MonotonicClock.now) }

    /// Completes and closes the file, and removes the recording from the stream's audiences.
    func stop() async {
        audience.endRecording()
        await recorder.stop()
    }
}
