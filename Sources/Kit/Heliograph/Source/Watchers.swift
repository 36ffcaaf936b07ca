internal import HelioCore
private import Synchronization

/// Keeps whether anybody watches the one encoded stream, and what sound they want: viewers, ordinary players, a server
/// that it is published to, a file that it is recorded to, servers that it is broadcast to. The stream runs while anybody does.
final class Watchers: Sendable {
    enum Kind: Sendable, Hashable { case viewers, players, publication, recording, broadcast }

    private struct State {
        var watching: Set<Kind> = []
        var sound: [Kind: [SoundOrigin: SoundDemand]] = [:]
        /// True once a recording has ended, which may be before it was to begin.
        var isRecordingOver = false
    }

    private let state = Mutex(State())
    private let changed: @Sendable (Bool) -> Void
    private let soundWanted: @Sendable ([SoundOrigin: SoundDemand]) -> Void

    /// - Parameters:
    ///   - changed: called with whether anybody watches, on the thread of the call that changed it.
    ///   - soundWanted: called with the sound that all of them together want, likewise.
    init(
        _ changed: @escaping @Sendable (Bool) -> Void,
        soundWanted: @escaping @Sendable ([SoundOrigin: SoundDemand]) -> Void
    ) {
        self.changed = changed
        self.soundWanted = soundWanted
    }

    func setViewers(_ watch: Bool) { set(watch, .viewers) }
    func setPlayers(_ watch: Bool) { set(watch, .players) }
    func setPublication(_ watch: Bool) { set(watch, .publication) }
    func setBroadcast(_ watch: Bool) { set(watch, .broadcast) }

    /// A recording watches from now on, unless it has ended already, and wants this sound.
    func beginRecording(sound demands: [SoundOrigin: SoundDemand]) {
        guard !state.withLock({ $0.isRecordingOver }) else { return }
        setSound(demands, of: .recording)
        set(true, .recording)
        // It may have ended in between.
        if state.withLock({ $0.isRecordingOver }) { endRecording() }
    }

    /// The recording watches no more.
    func endRecording() {
        state.withLock { $0.isRecordingOver = true }
        set(false, .recording)
        setSound([:], of: .recording)
    }

    private func set(_ watch: Bool, _ kind: Kind) {
        let isWatched = state.withLock { state in
            if watch { state.watching.insert(kind) } else { state.watching.remove(kind) }
            return !state.watching.isEmpty
        }
        changed(isWatched)
    }

    /// Sets the sound that one kind wants.
    func setSound(_ demands: [SoundOrigin: SoundDemand], of kind: Kind) {
        let all = state.withLock { state in
            state.sound[kind] = demands
            return state.sound.values.reduce(into: [SoundOrigin: SoundDemand]()) { all, some in
                all.merge(some) { $0.joined(with: $1) }
            }
        }
        soundWanted(all)
    }
}
