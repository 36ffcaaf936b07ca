internal import HelioCore
internal import HelioRelay
internal import HelioRelayWire
private import Synchronization

/// Passes pictures and sound from a broadcast extension to a source, on the relay's thread.
final class RelayReceiver: Sendable {
    struct Counts {
        var unwatched = 0
        var soundsRefused = 0
    }

    private struct State {
        /// The source's current attributes.
        var video: MediaAttributes
        /// False if the source has rejected the extension's attributes; the extension's pictures are then discarded.
        var isShared = true
        var counts = Counts()
    }

    private let source: MirrorSource
    private let encoder: RelayedEncoder
    private let hasSound: Bool
    private let state: Mutex<State>

    init(_ source: MirrorSource, _ encoder: RelayedEncoder, video: MediaAttributes, hasSound: Bool) {
        self.source = source
        self.encoder = encoder
        self.hasSound = hasSound
        state = Mutex(State(video: video))
    }

    var counts: Counts { state.withLock { $0.counts } }

    func take(_ event: AppRelayEvent) {
        switch event {
        case .joined:
            encoder.joined()
            note("A broadcast extension relays.")
        case .format(let format): change(to: format)
        case .picture(let picture):
            guard state.withLock({ $0.isShared }), (try? source.write(picture.frame)) == true else {
                return state.withLock { $0.counts.unwatched += 1 }
            }
        case .sound(let sound): if hasSound { take(sound) }
        case .left(nil): note("The broadcast extension has ended.")
        case .left(let drop?): note("The broadcast extension was dropped (\(drop.rawValue)).")
        case .vanished: note("The broadcast extension is gone: it may come again.")
        }
    }

    private func change(to format: RelayFormat) {
        let before = state.withLock { $0.video }
        let liked = encoder.liked(coding: format.size)
        var video = before
        video.format = format.codec == .h264 ? .avc : .hevc
        video.width = format.size.width
        video.height = format.size.height
        video.framesPerSecond = min(240, Int(format.framesPerSecond))
        do throws(HelioError) {
            // The first picture after a format message is always a keyframe, so an unchanged format needs no action.
            if video != before { try source.changeAttributes(video, wantedSize: liked) }
            state.withLock { state in
                state.video = video
                state.isShared = true
            }
        } catch {
            state.withLock { $0.isShared = false }
            note("What the broadcast extension relays can't be shared. \(error.message)")
        }
    }

    private func take(_ sound: RelaySound) {
        guard sound.codec == .pcm else { return state.withLock { $0.counts.soundsRefused += 1 } }
        let samples = stride(from: 0, to: sound.payload.count - 1, by: 2).map {
            Int16(bitPattern: UInt16(sound.payload[$0]) << 8 | UInt16(sound.payload[$0 + 1]))
        }
        do throws(HelioError) {
            // Sound that nobody wants is not counted as refused.
            try source.write(
                sound: SoundSamples(
                    samples, sampleRate: sound.format.sampleRate, channels: sound.format.channels,
                    presentationTime: sound.captured - .zero),
                of: SoundInput(sound.origin))
        } catch {
            state.withLock { $0.counts.soundsRefused += 1 }
        }
    }

    private func note(_ text: String) { source.serving.events.put(.info(text)) }
}
