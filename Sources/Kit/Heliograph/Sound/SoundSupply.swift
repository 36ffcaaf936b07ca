internal import HelioCore
internal import HelioSharing
internal import HelioSound
private import Synchronization

/// The sound of a machine that shares its screen: one capture thread for each origin (what the machine plays, the
/// microphone), which captures while the origin is shared and an audience wants its sound.
final class SoundSupply: SoundFeed, SoundCaptureOwner {
    private struct State {
        var sharing: SoundSharing
        var wanted: [SoundOrigin: SoundDemand] = [:]
        /// Set from `begin` to `stop` only, because the outlet keeps a reference to this object.
        var outlet: (any SoundOutlet)?
        var running: [SoundOrigin: SoundCapture] = [:]
        var captured: [SoundOrigin: String] = [:]
        var tallies: [SoundOrigin: SoundTally] = [:]
        var isStopped = false
        /// The message of the last reported failure of the sound system, which is not reported again until sound has
        /// worked.
        var toldFailure: String?
    }

    private let platform: any SoundPlatform
    /// The IDs of the devices that were chosen by name, by origin of sound. Without an entry, the default device is
    /// used.
    private let devices: [SoundOrigin: String]
    private let state: Mutex<State>

    /// Makes a supply that captures nothing yet, and looks up the named device.
    ///
    /// - Parameter device: the name of the device of one of the shared origins.
    ///
    /// Throws `invalidArgument` if no device has that name.
    init(_ sharing: SoundSharing, device: String?, of platform: any SoundPlatform) throws(HelioError) {
        self.platform = platform
        devices = try Self.devices(of: sharing, named: device, platform)
        state = Mutex(State(sharing: sharing))
    }

    private static func devices(
        of sharing: SoundSharing, named name: String?, _ platform: any SoundPlatform
    ) throws(HelioError) -> [SoundOrigin: String] {
        guard let name else { return [:] }
        var known: [String] = []
        for origin in sharing.origins {
            let list = try platform.captureDevices(of: origin)
            if let device = list.named(name) { return [origin: device.id] }
            known += list.map(\.name)
        }
        throw .missing("sound device", name, choices: known)
    }

    /// Checks that the sound system works, and has a device for each shared origin.
    ///
    /// - Returns: the human-readable reason why the system's sound or a microphone can't be captured; `nil` if all
    ///   shared sound can be captured. After a failure of the sound system, capture threads don't report the same
    ///   failure again.
    func lookForTrouble() -> String? {
        for origin in sharing.origins {
            do {
                if try platform.captureDevices(of: origin).isEmpty, devices[origin] == nil {
                    return "\(origin.title) can't be shared: there is no device for it."
                }
            } catch {
                state.withLock { $0.toldFailure = error.message }
                return "\(error.message) The screen is shared without sound."
            }
        }
        return nil
    }

    /// The kinds of sound that are shared.
    var sharing: SoundSharing { state.withLock { $0.sharing } }

    /// Starts to capture on demand. If a shared origin of sound can't be captured, `outlet` gets a note with the
    /// reason.
    func begin(_ outlet: any SoundOutlet) {
        if let trouble = lookForTrouble() { outlet.note(trouble) }
        state.withLock { state in
            state.outlet = outlet
            order(&state)
        }
    }

    /// Sets the wanted encodings by origin.
    func set(_ wanted: [SoundOrigin: SoundDemand]) {
        state.withLock { state in
            state.wanted = wanted
            order(&state)
        }
    }

    /// Sets the kinds of sound that are shared.
    func share(_ sharing: SoundSharing) {
        state.withLock { state in
            state.sharing = sharing
            order(&state)
        }
    }

    private func order(_ state: inout State) {
        guard state.outlet != nil, !state.isStopped else { return }
        for origin in SoundOrigin.allCases {
            let demand = state.sharing.origins.contains(origin) ? state.wanted[origin] ?? .none : .none
            if let running = state.running[origin] {
                running.demand(demand)
            } else if !demand.encodes.isEmpty {
                state.running[origin] = start(origin, demand, toldFailure: state.toldFailure)
            }
        }
    }

    private func start(_ origin: SoundOrigin, _ demand: SoundDemand, toldFailure: String?) -> SoundCapture {
        let capture = SoundCapture(
            origin, device: devices[origin], of: platform, toldFailure: toldFailure, for: self)
        capture.demand(demand)
        return capture
    }

    // MARK: The capture threads

    func submit(_ sound: EncodedSound) { state.withLock { $0.outlet }?.submit(sound) }

    func note(_ sentence: String) { state.withLock { $0.outlet }?.note(sentence) }

    func counted(_ tally: SoundTally, of origin: SoundOrigin) { state.withLock { $0.tallies[origin] = tally } }

    func isMuted() -> Bool { false }

    func captured(_ device: String?, of origin: SoundOrigin) {
        // The report is made with the lock held, so that the last report is the current one.
        state.withLock { state in
            state.captured[origin] = device
            state.outlet?.captured(Self.list(state))
        }
    }

    private static func list(_ state: State) -> [SharedSound] {
        SoundOrigin.allCases.compactMap { origin in
            state.captured[origin].map { SharedSound(input: SoundInput(origin), device: $0) }
        }
    }

    // MARK: The session

    /// The statistics of captured and coded sound, by origin.
    var statistics: [SourceStatistics.Sound] {
        state.withLock { state in
            SoundOrigin.allCases.compactMap { origin in
                state.tallies[origin].map { .init(origin, device: state.captured[origin], $0) }
            }
        }
    }

    /// Stops all capture threads.
    func stop() async {
        let running = state.withLock { state in
            state.isStopped = true
            return state.running.values.map { $0 }
        }
        for capture in running { await capture.stop() }
        state.withLock { $0.outlet = nil }
    }
}
