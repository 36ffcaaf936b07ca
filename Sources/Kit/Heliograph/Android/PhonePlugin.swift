private import HelioADB
internal import HelioAndroid
internal import HelioCore
internal import HelioSharing
private import Synchronization

/// The plugin for a phone's encoder and sound: passes the session's requests to the phone.
final class PhonePlugin: VideoSourcePlugin {
    private struct State {
        var submit: (@Sendable (AndroidPhone.Input) -> Void)?
        /// The size that the phone codes while no smaller one is wanted; `nil` until it is known.
        var liked: PixelSize?
        /// The size that was asked for, if it is smaller.
        var largest: PixelSize?
    }

    private let state = Mutex(State())
    /// The plugin for the phone's sound.
    let sound: PhoneSoundPlugin

    init() { sound = PhoneSoundPlugin() }

    func begin(_ submit: @escaping @Sendable (AndroidPhone.Input) -> Void) {
        state.withLock { $0.submit = submit }
        sound.begin(submit)
    }

    func start() { submit(.watched(true)) }
    func resume() { submit(.watched(true)) }
    func pause() { submit(.watched(false)) }
    func keyframeNeeded(reason _: String) { submit(.keyframe) }
    func bitrateSuggested(_ bitsPerSecond: Int) { submit(.bitrate(bitsPerSecond)) }

    func attributesChanged(_ agreed: MediaAttributes) {
        let size = PixelSize(width: agreed.width, height: agreed.height)
        let largest = state.withLock { state in
            state.largest = size == state.liked ? nil : size
            return state.largest
        }
        submit(.largest(largest))
        submit(.bitrate(agreed.bitrate))
    }

    /// The size that the phone would code without a limit, now that it codes `size`. While a smaller size is asked for,
    /// only the orientation of `size` counts.
    func liked(coding size: PixelSize) -> PixelSize {
        state.withLock { state in
            guard state.largest != nil, let liked = state.liked else {
                state.liked = size
                return size
            }
            let isTurned = (size.height > size.width) != (liked.height > liked.width)
            let result = isTurned ? PixelSize(width: liked.height, height: liked.width) : liked
            state.liked = result
            return result
        }
    }

    private func submit(_ input: AndroidPhone.Input) { state.withLock { $0.submit }?(input) }
}

/// The plugin for a phone's sound, which is captured only while somebody listens.
final class PhoneSoundPlugin: AudioSourcePlugin {
    private let submit = Mutex<(@Sendable (AndroidPhone.Input) -> Void)?>(nil)

    func begin(_ submit: @escaping @Sendable (AndroidPhone.Input) -> Void) { self.submit.withLock { $0 = submit } }

    func start() { submit.withLock { $0 }?(.sound(true)) }
    func resume() { submit.withLock { $0 }?(.sound(true)) }
    func pause() { submit.withLock { $0 }?(.sound(false)) }
}
