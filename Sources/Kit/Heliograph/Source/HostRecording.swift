internal import HelioCore
private import HelioGround
private import HelioRecording
internal import HelioSharing

/// A source's recording: one more audience of the main encode. It gets each slice after all other audiences.
final class HostRecording: Sendable {
    private let recorder: Recorder
    private let sound: [SoundOrigin]
    private let audience: Watchers

    /// Creates the file. Throws `invalidArgument` and `systemFailed`.
    ///
    /// - Parameters:
    ///   - sound: the origins to record.
    ///   - supply: the stream, with its codec until that changes.
    init(
        _ options: RecordingOptions, sound: [SoundOrigin], of supply: StreamSupply, events: SourceEvents
    ) throws(HelioError) {
        self.sound = sound
        let (feed, audience) = (supply.feed, supply.audience)
        self.audience = audience
        var settings = options.recorderOptions(sound: sound)
        settings.codec = supply.format.codec
        recorder = try Recorder(
            settings,
            .init(
                needKeyframe: { feed.requestKeyframe($0) }, needPicture: { feed.repeatPicture() },
                tell: { news in
                    switch news {
                    case .began(let path), .continued(let path): events.put(.recording(file: path))
                    case .failed(let error):
                        audience.endRecording()
                        events.put(.recordingFailed(error))
                    }
                }))
    }

    /// Starts to demand pictures and sound.
    func begin() {
        audience.beginRecording(
            sound: Dictionary(uniqueKeysWithValues: sound.map { ($0, SoundDemand(encodes: [Self.encode])) }))
    }

    /// The sound encode to record: Opus, one of the encodes that viewers are sent, so that both can share it.
    private static var encode: SoundEncode { .opus }

    /// Records a slice, on the thread that has just passed it to all others. Never blocks.
    func take(_ slice: EncodedSlice) { if slice.encoding == .main { recorder.put(slice) } }

    func take(_ sound: EncodedSound) {
        guard sound.encode == Self.encode else { return }
        recorder.put(RecordedSound(origin: sound.origin, payload: sound.payload, captured: sound.captured))
    }

    /// Sets the codec of the slices that follow.
    func set(_ codec: VideoCodec) { recorder.set(codec) }

    var status: RecordingStatus { RecordingStatus(recorder.statistics, now: MonotonicClock.now) }

    /// Closes the file.
    func stop() async {
        audience.endRecording()
        await recorder.stop()
    }
}
