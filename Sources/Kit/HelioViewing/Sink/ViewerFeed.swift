internal import HelioCore
internal import HelioSession
internal import HelioSound

/// Passes a viewer's stream to its decoder, its sound player and its recording.
final class ViewerFeed<Decoder: VideoDecoding>: StreamReceiving {
    private let decoding: DecoderLoop<Decoder>
    private let sound: SoundPlayer?
    private let recording: ViewerRecording?

    init(_ decoding: DecoderLoop<Decoder>, _ sound: SoundPlayer?, _ recording: ViewerRecording?) {
        self.decoding = decoding
        self.sound = sound
        self.recording = recording
    }

    // Decoder and recording read the format from the stream itself.
    func began(_ format: VideoFormat, allowsControl: Bool) {}
    func take(_ terms: StreamTerms) {}

    func take(_ part: ReceivedPart) { decoding.put(part) }

    func take(_ frame: ReceivedFrame) -> Bool {
        let isTaken = decoding.put(frame)
        recording?.take(frame)
        return isTaken
    }

    func take(_ news: SoundNews) {
        sound?.take(news)
        recording?.take(news)
    }
}
