internal import HelioCore
private import Synchronization

/// The audiences of a source's encoded stream, and the sound that each wants: viewers, ordinary players, the RTSP
/// server of a publication, a recording, and broadcasts. The stream is encoded while there is any audience.
final class Watchers: Sendable {
    enum Kind: Sendable, Hashable { case viewers, players, publication, recording, broadcast }

    private struct State {
        var watching: Set<Kind> = []
        var sound: [Kind: [SoundOrigin: SoundDemand]] = [:]
        /// True once the recording has failed or stopped, possibly before `beginRecording` was called.
        var isRecordingOver = false
    }

    private let state = Mutex(State())
    private let feed: any SourceFeed

    /// - Parameter feed: the supplier of the stream. It is notified on the calling thread of each method that changes
    ///   the audiences or their sound.
    init(_ feed: any SourceFeed) { self.feed = feed }

    func setViewers(_ watch: Bool) { set(watch, .viewers) }
    func setPlayers(_ watch: Bool) { set(watch, .players) }
    func setPublication(_ watch: Bool) { set(watch, .publication) }
    func setBroadcast(_ watch: Bool) { set(watch, .broadcast) }

    /// Adds the recording as an audience that wants the given sound, unless the recording has ended already.
    func beginRecording(sound demands: [SoundOrigin: SoundDemand]) {
        guard !state.withLock({ $0.isRecordingOver }) else { return }
        setSound(demands, of: .recording)
        set(true, .recording)
        // The recording may have ended since the check.
        if state.withLock({ $0.isRecordingOver }) { endRecording() }
    }

    /// Removes the recording from the audiences.
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
        feed.setWatched(isWatched)
    }

    /// Sets the sound that one kind of audience wants.
    func setSound(_ demands: [SoundOrigin: SoundDemand], of kind: Kind) {
        let all = state.withLock { state in
            state.sound[kind] = demands
            return state.sound.values.reduce(into: [SoundOrigin: SoundDemand]()) { all, some in
                all.merge(some) { $0.joined(with: $1) }
            }
        }
        feed.setSound(all)
    }
}
