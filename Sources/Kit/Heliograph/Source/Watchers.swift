internal import HelioCore
private import Synchronization

/// The audiences of the one encoded stream, and the sound that they want: viewers, ordinary players, an RTSP server
/// that it is published to, a recording, servers that it is broadcast to. The stream runs while there is any audience.
final class Watchers: Sendable {
    enum Kind: Sendable, Hashable { case viewers, players, publication, recording, broadcast }

    private struct State {
        var watching: Set<Kind> = []
        var sound: [Kind: [SoundOrigin: SoundDemand]] = [:]
        /// True once the recording has failed or stopped. That may be before `beginRecording`.
        var isRecordingOver = false
    }

    private let state = Mutex(State())
    private let feed: any SourceFeed

    /// - Parameter feed: the supplier of the stream. It is notified on the thread of the call that has changed the
    ///   audiences or their sound.
    init(_ feed: any SourceFeed) { self.feed = feed }

    func setViewers(_ watch: Bool) { set(watch, .viewers) }
    func setPlayers(_ watch: Bool) { set(watch, .players) }
    func setPublication(_ watch: Bool) { set(watch, .publication) }
    func setBroadcast(_ watch: Bool) { set(watch, .broadcast) }

    /// Adds the recording as an audience that wants this sound, unless the recording has ended already.
    func beginRecording(sound demands: [SoundOrigin: SoundDemand]) {
        guard !state.withLock({ $0.isRecordingOver }) else { return }
        setSound(demands, of: .recording)
        set(true, .recording)
        // The recording may have ended in between.
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
