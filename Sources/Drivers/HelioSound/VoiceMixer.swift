package import HelioCore
private import Synchronization

/// Mixes the voices that viewers send into one signal for the host's virtual microphone.
///
/// Each voice has its own `SoundMixer` between the event loop's thread and the output's thread, so that jitter and
/// losses are handled separately.
///
/// `@unchecked Sendable`: only `render` uses the state without a lock, and only one thread at a time calls `render`.
package final class VoiceMixer: DropCounting, @unchecked Sendable {
    private struct Shared {
        var voices: [ConnectionID: SoundMixer] = [:]
        var format: SoundFormat?
        var isMuted = false
    }

    private let shared = Mutex(Shared())
    private let platform: any SoundPlatform
    /// The buffer for the samples of one voice. Used by the output's thread only.
    private var one: [Float] = []

    /// - Parameter platform: makes the decoders, on the output's thread.
    package init(of platform: any SoundPlatform) { self.platform = platform }

    // MARK: Any thread

    /// Queues a packet of a viewer's voice; packets are passed in order of arrival.
    package func put(_ packet: ReceivedSound, of viewer: ConnectionID) { voice(of: viewer).put(.packet(packet)) }

    private func voice(of viewer: ConnectionID) -> SoundMixer {
        shared.withLock { shared in
            if let voice = shared.voices[viewer] { return voice }
            let voice = SoundMixer(of: platform)
            voice.set(shared.format)
            voice.set(volume: 1, isMuted: shared.isMuted)
            shared.voices[viewer] = voice
            return voice
        }
    }

    /// Forgets a viewer that has left.
    package func remove(_ viewer: ConnectionID) { shared.withLock { $0.voices[viewer] = nil } }

    /// Sets the format of the open output; `nil` if none is open.
    package func set(_ format: SoundFormat?) {
        shared.withLock { shared in
            shared.format = format
            for voice in shared.voices.values { voice.set(format) }
        }
    }

    /// True while all voices are muted.
    package var isMuted: Bool {
        get { shared.withLock { $0.isMuted } }
        set {
            shared.withLock { shared in
                shared.isMuted = newValue
                for voice in shared.voices.values { voice.set(volume: 1, isMuted: newValue) }
            }
        }
    }

    /// The dropped packets of all voices, counted by reason.
    package var allDrops: [String: Int] { shared.withLock { Array($0.voices.values) }.allDrops.named("voice-") }

    // MARK: The output's thread

    /// Fills `samples`; `heard` is the time at which the first sample is heard.
    package func render(_ samples: inout MutableSpan<Float>, heard: Instant) {
        let voices = shared.withLock { Array($0.voices.values) }
        for index in samples.indices { samples[index] = 0 }
        if one.count != samples.count { one = Array(repeating: 0, count: samples.count) }
        for voice in voices {
            var span = one.mutableSpan
            voice.render(&span, heard: heard)
            for index in samples.indices { samples[index] = max(-1, min(1, samples[index] + one[index])) }
        }
    }
}
