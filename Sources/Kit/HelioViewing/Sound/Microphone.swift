internal import HelioCore
internal import HelioLoop
internal import HelioSound
private import Synchronization

/// The person's microphone, for a host that hears viewers: captured while the host wants it and the person has not turned it
/// off.
///
/// Where no headset keeps what is played from the microphone, it is left out while something plays here, so that the host
/// does not hear itself.
final class Microphone: Sendable {
    /// How it stands.
    struct Status: Sendable {
        /// True where the person has not turned it off.
        var isOn = true
        /// The device that is heard; `nil` while none is.
        var device: String?
        /// True while it is left out, as something plays here.
        var isHeld = false
    }

    /// What its thread, the person's and the event loop's have in common.
    private final class Shared: Sendable {
        struct State {
            var status = Status()
            var wanted = SoundDemand.none
            var heldUntil = Instant.zero
            var notes: [String] = []
        }

        let state = Mutex(State())
        let bell: @Sendable () -> Void

        init(bell: @escaping @Sendable () -> Void) { self.bell = bell }

        func say(_ note: String) {
            state.withLock { $0.notes.append(note) }
            bell()
        }
    }

    /// The peak, 0...1, from which on something that plays may be heard by the microphone: -46 dB of full scale.
    private static let audible: Float = 0.005
    /// How long what has been played goes on in the output's buffer, and in the room.
    private static let echoTime = Duration.milliseconds(300)

    private let shared: Shared
    private let capture: SoundCapture

    /// Starts its thread, which sleeps until the host wants to hear.
    ///
    /// - Parameters:
    ///   - played: gives the recent peak of what plays here, 0...1; called on its thread.
    ///   - submit: takes each packet, on its thread.
    ///   - bell: called on some thread when a note waits.
    ///
    /// Throws `invalidArgument`, naming the choices, for a device that is not there.
    init(
        _ options: MicrophoneOptions, of platform: any SoundPlatform, played: @escaping @Sendable () -> Float,
        submit: @escaping @Sendable (EncodedSound) -> Void, bell: @escaping @Sendable () -> Void
    ) throws(HelioError) {
        let shared = Shared(bell: bell)
        self.shared = shared
        let isHeadset = options.isHeadset
        capture = SoundCapture(
            .microphone, device: try options.deviceID(of: platform), of: platform,
            .init(
                submit: submit, captured: { device in Self.tell(device, shared) }, told: { _ in },
                note: { shared.say($0) },
                isMuted: { !isHeadset && Self.isHeld(by: played(), MonotonicClock.now, shared) }))
    }

    private static func tell(_ device: String?, _ shared: Shared) {
        let isNews = shared.state.withLock { state in
            defer { state.status.device = device }
            return device != nil && device != state.status.device
        }
        guard isNews, let device else { return }
        shared.say("The host hears your microphone (\(device)). Ctrl+Alt+Shift+V turns it off.")
    }

    private static func isHeld(by peak: Float, _ now: Instant, _ shared: Shared) -> Bool {
        shared.state.withLock { state in
            if peak >= audible { state.heldUntil = now + echoTime }
            state.status.isHeld = now < state.heldUntil
            return state.status.isHeld
        }
    }

    /// Codes the voice as the host wants it from now on.
    func take(_ wanted: SoundDemand) {
        shared.state.withLock { $0.wanted = wanted }
        order()
    }

    /// Turns the microphone on or off; off, nothing is captured.
    func turn(on isOn: Bool) {
        shared.state.withLock { $0.status.isOn = isOn }
        order()
    }

    private func order() {
        // With the lock held, so that what is ordered last is what was said last.
        shared.state.withLock { state in
            capture.demand(state.status.isOn ? state.wanted : .none)
        }
    }

    var status: Status { shared.state.withLock { $0.status } }

    /// Takes the notes for the person.
    func takeNotes() -> [String] {
        shared.state.withLock { state in
            defer { state.notes = [] }
            return state.notes
        }
    }

    /// Ends its thread; the device is let go of soon after.
    func stop() { capture.end() }
}
