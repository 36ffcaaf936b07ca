private import Synchronization

/// Keeps whether anybody watches the one encoded stream: viewers, ordinary players, a server that it is published to.
/// The stream runs while anybody does.
final class Watchers: Sendable {
    private struct State {
        var viewers = false
        var players = false
        var publication = false
    }

    private let state = Mutex(State())
    private let changed: @Sendable (Bool) -> Void

    /// - Parameter changed: called with whether anybody watches, on the thread of the call that changed it.
    init(_ changed: @escaping @Sendable (Bool) -> Void) {
        self.changed = changed
    }

    func setViewers(_ watch: Bool) { set { $0.viewers = watch } }
    func setPlayers(_ watch: Bool) { set { $0.players = watch } }
    func setPublication(_ watch: Bool) { set { $0.publication = watch } }

    private func set(_ change: (inout State) -> Void) {
        let isWatched = state.withLock { state in
            change(&state)
            return state.viewers || state.players || state.publication
        }
        changed(isWatched)
    }
}
