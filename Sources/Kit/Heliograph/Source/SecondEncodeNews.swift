internal import HelioCore
private import HelioGround
private import Synchronization

/// Reports the start and the end of the second encoding to the host's user, once the change has lasted for 10 s: with
/// viewers on one machine, a second encoding may start and end within seconds.
final class SecondEncodeNews: Sendable {
    private struct State {
        var isThere = LastingChange(false, patience: .seconds(10))
        var wait: Task<Void, Never>?
    }

    private let state = Mutex(State())
    private let events: SourceEvents

    init(_ events: SourceEvents) { self.events = events }

    deinit { state.withLock { $0.wait?.cancel() } }

    /// Sets whether there is a second encoding now.
    func set(_ isThere: Bool) {
        state.withLock { state in
            state.isThere.set(isThere, now: MonotonicClock.now)
            state.wait?.cancel()
            guard state.isThere.deadline != nil else { return }
            state.wait = Task { [weak self] in
                while let time = self?.timeLeft {
                    guard (try? await Task.sleep(for: time)) != nil else { return }
                }
                self?.reportWhatLasted()
            }
        }
    }

    /// The time until a change has lasted long enough to be reported; `nil` if it already has, or if there is no
    /// change.
    private var timeLeft: Duration? {
        let now = MonotonicClock.now
        return state.withLock { $0.isThere.deadline.flatMap { $0 > now ? $0 - now : nil } }
    }

    private func reportWhatLasted() {
        guard let isThere = state.withLock({ $0.isThere.take(now: MonotonicClock.now) }) else { return }
        events.note(
            isThere
                ? "A viewer's network is much slower than the others': it gets a smaller picture of its own."
                : "All viewers get the same picture again.")
    }
}
