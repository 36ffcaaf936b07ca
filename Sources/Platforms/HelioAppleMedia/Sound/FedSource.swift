internal import HelioCore

/// The samples of screen capture or a broadcast, as a source that can be started and stopped.
final class FedSource: SampleSource {
    let deviceName: String
    private let feeds: SampleFeeds
    private let origin: SoundOrigin
    private let intake: SampleIntake

    /// Throws `unsupported` if no screen capture or broadcast provides that origin's samples.
    init(_ feeds: SampleFeeds, _ origin: SoundOrigin, into intake: SampleIntake) throws(HelioError) {
        guard let name = feeds.name(of: origin) else {
            throw HelioError(
                .unsupported, "Sound of this kind comes with the screen's capture, which does not run.")
        }
        deviceName = name
        self.feeds = feeds
        self.origin = origin
        self.intake = intake
    }

    func start() { feeds.attach(intake, to: origin) }

    func stop() { feeds.detach(intake, from: origin) }
}
