package import HelioCore
internal import HelioSoundCodecs

/// The sound of a broadcast as 48 kHz stereo: one stream for the apps and one for the microphone (requirement rows 154,
/// 159).
package final class BroadcastSound: Sendable {
    private let now: @Sendable () -> Instant
    private let queues: [SoundOrigin: CaptureQueue]
    private let intakes: [SoundOrigin: SampleIntake]

    /// The input of samples; `drain(_:)` returns them converted.
    package let feeds = SampleFeeds()

    package init(now: @escaping @Sendable () -> Instant) {
        self.now = now
        queues = Dictionary(
            uniqueKeysWithValues: SoundOrigin.allCases.map { origin in (origin, CaptureQueue()) })
        intakes = queues.mapValues { SampleIntake($0) }
        for (origin, intake) in intakes { feeds.attach(intake, to: origin) }
    }

    /// Returns the sound of one origin since the last call, without waiting.
    package func drain(_ origin: SoundOrigin) -> [SoundBlock] {
        var blocks: [SoundBlock] = []
        while case .item(let item)? = queues[origin]?.take(until: now()) {
            if case .sound(let block) = item { blocks.append(block) }
        }
        return blocks
    }
}
