internal import HelioCore
internal import HelioGround
private import HelioSession
internal import HelioSound
private import Synchronization

/// The user's microphone, for a host that plays viewers' voices: captured while the host wants it and the user has
/// not turned it off.
///
/// Without a headset, the microphone is muted while this machine plays sound, so that the host does not hear itself.
final class Microphone: Sendable {
    /// The present state of the microphone, for statistics.
    struct Status: Sendable {
        /// False if the user has turned the microphone off.
        var isOn = true
        /// The name of the captured device; `nil` while no device is captured.
        var device: String?
        /// True while the microphone is muted, because this machine plays sound.
        var isHeld = false
    }

    /// The user's voice on its way to the host, shared by the capture thread, the user's thread and the event loop.
    private final class Voice: SoundCaptureOwner {
        struct State {
            var status = Status()
            var wanted = SoundDemand.none
            var heldUntil = Instant.zero
        }

        /// The minimum peak of played sound, 0 to 1, that mutes the microphone: 46 dB below full scale.
        private static let audible: Float = 0.005
        /// The time for which played sound may remain audible, because of the output's buffer and of reverberation.
        private static let echoTime = Duration.milliseconds(300)

        let state = Mutex(State())
        private let isHeadset: Bool
        private let sound: SoundPlayer?
        private let watch: HostWatch
        private let notes: NoteBoard

        init(isHeadset: Bool, beside sound: SoundPlayer?, for watch: HostWatch, notes: NoteBoard) {
            self.isHeadset = isHeadset
            self.sound = sound
            self.watch = watch
            self.notes = notes
        }

        func submit(_ sound: EncodedSound) { watch.submit(.voice(sound)) }

        func captured(_ device: String?, of _: SoundOrigin) {
            let isNews = state.withLock { state in
                defer { state.status.device = device }
                return device != nil && device != state.status.device
            }
            guard isNews, let device else { return }
            notes.put("The host hears your microphone (\(device)). Ctrl+Alt+Shift+V turns it off.")
        }

        /// Does nothing: the session counts the voice that it sends.
        func counted(_: SoundTally, of _: SoundOrigin) {}

        func note(_ sentence: String) { notes.put(sentence) }

        func isMuted() -> Bool {
            if isHeadset { return false }
            let (peak, now) = (sound?.mixer.level ?? 0, MonotonicClock.now)
            return state.withLock { state in
                if peak >= Self.audible { state.heldUntil = now + Self.echoTime }
                state.status.isHeld = now < state.heldUntil
                return state.status.isHeld
            }
        }
    }

    private let voice: Voice
    private let capture: SoundCapture

    /// Starts the capture thread, which sleeps until the host wants sound.
    ///
    /// - Parameters:
    ///   - sound: plays the sound that mutes the microphone while it is audible.
    ///   - watch: the session, which sends the voice to the host.
    ///   - notes: receives notes about the device for the user.
    ///
    /// Throws `invalidArgument`, naming the choices, if there is no such device.
    init(
        _ options: MicrophoneOptions, of platform: any SoundPlatform, beside sound: SoundPlayer?, for watch: HostWatch,
        notes: NoteBoard
    ) throws(HelioError) {
        voice = Voice(isHeadset: options.isHeadset, beside: sound, for: watch, notes: notes)
        capture = SoundCapture(
            .microphone, device: try options.deviceID(of: platform), of: platform, for: voice)
    }

    /// Sets the encoding of the voice that the host wants.
    func take(_ wanted: SoundDemand) {
        voice.state.withLock { $0.wanted = wanted }
        order()
    }

    /// Turns the microphone on or off; while it is off, nothing is captured.
    func turn(on isOn: Bool) {
        voice.state.withLock { $0.status.isOn = isOn }
        order()
    }

    private func order() {
        // The demand is forwarded under the lock, so that demands arrive in the order of the changes.
        voice.state.withLock { state in
            capture.demand(state.status.isOn ? state.wanted : .none)
        }
    }

    var status: Status { voice.state.withLock { $0.status } }

    /// Ends the capture thread; the device is closed soon after.
    func stop() { capture.end() }
}
