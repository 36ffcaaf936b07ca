internal import HelioCore
internal import HelioSound
internal import HelioViewing
private import Synchronization

/// The sound of a machine that shares its screen: for each origin a thread, which captures while somebody wants it and it
/// is shared.
final class SoundSupply: Sendable {
    /// What it tells the rest of the source; called on any thread.
    struct Surroundings: Sendable {
        /// Takes a packet.
        var submit: @Sendable (EncodedSound) -> Void
        /// This is captured now.
        var captured: @Sendable ([SharedSound]) -> Void
        /// Gives a note for the person; the session goes on.
        var note: @Sendable (String) -> Void
    }

    private struct State {
        var sharing: SoundSharing
        var wanted: [SoundOrigin: SoundDemand] = [:]
        var surroundings: Surroundings?
        var running: [SoundOrigin: SoundCapture] = [:]
        var captured: [SoundOrigin: String] = [:]
        var tallies: [SoundOrigin: SoundTally] = [:]
        var isStopped = false
        /// The failure that was told already.
        var toldFailure: String?
    }

    private let platform: any SoundPlatform
    /// The devices that were chosen by name; others follow the default.
    private let devices: [SoundOrigin: String]
    private let state: Mutex<State>

    /// - Parameter device: the name of the device of one of the shared origins.
    ///
    /// Throws `invalidArgument` for a device that is not there.
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

    /// Looks whether there is a device for all that is shared.
    ///
    /// - Returns: the reason why something can't be heard; it is not told again until it can.
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

    /// What is shared.
    var sharing: SoundSharing { state.withLock { $0.sharing } }

    /// Begins: from now on demands are met. A note tells why something can't be heard.
    func begin(_ surroundings: Surroundings) {
        if let trouble = lookForTrouble() { surroundings.note(trouble) }
        state.withLock { state in
            state.surroundings = surroundings
            order(&state)
        }
    }

    /// Makes these encodes from now on.
    func set(_ wanted: [SoundOrigin: SoundDemand]) {
        state.withLock { state in
            state.wanted = wanted
            order(&state)
        }
    }

    /// Shares this from now on.
    func share(_ sharing: SoundSharing) {
        state.withLock { state in
            state.sharing = sharing
            order(&state)
        }
    }

    private func order(_ state: inout State) {
        guard let surroundings = state.surroundings, !state.isStopped else { return }
        for origin in SoundOrigin.allCases {
            let demand = state.sharing.origins.contains(origin) ? state.wanted[origin] ?? .none : .none
            if let running = state.running[origin] {
                running.demand(demand)
            } else if !demand.encodes.isEmpty {
                state.running[origin] = start(origin, demand, surroundings, toldFailure: state.toldFailure)
            }
        }
    }

    private func start(
        _ origin: SoundOrigin, _ demand: SoundDemand, _ surroundings: Surroundings, toldFailure: String?
    ) -> SoundCapture {
        let capture = SoundCapture(
            origin, device: devices[origin], of: platform, toldFailure: toldFailure,
            .init(
                submit: surroundings.submit,
                captured: { [self] device in tell(device, of: origin) },
                told: { [self] tally in state.withLock { $0.tallies[origin] = tally } },
                note: surroundings.note))
        capture.demand(demand)
        return capture
    }

    private func tell(_ device: String?, of origin: SoundOrigin) {
        // With the lock held, so that what is told last is how it is.
        state.withLock { state in
            state.captured[origin] = device
            state.surroundings?.captured(Self.list(state))
        }
    }

    private static func list(_ state: State) -> [SharedSound] {
        SoundOrigin.allCases.compactMap { origin in
            state.captured[origin].map { SharedSound(input: SoundInput(origin), device: $0) }
        }
    }

    /// What was captured and coded, for statistics.
    var statistics: [SourceStatistics.Sound] {
        state.withLock { state in
            SoundOrigin.allCases.compactMap { origin in
                state.tallies[origin].map { .init(origin, device: state.captured[origin], $0) }
            }
        }
    }

    /// Ends all threads.
    func stop() async {
        let running = state.withLock { state in
            state.isStopped = true
            return state.running.values.map { $0 }
        }
        for capture in running { await capture.stop() }
    }
}
