private import Dispatch
private import Synchronization

/// Calls a listener on the main thread soon after it was rung: once, however often that was.
final class SessionBell: Sendable {
    private let isRung = Atomic(false)
    private let listener = Mutex<(@MainActor @Sendable () -> Void)?>(nil)

    func listen(_ body: @escaping @MainActor @Sendable () -> Void) { listener.withLock { $0 = body } }

    /// Any thread.
    func ring() {
        guard !isRung.exchange(true, ordering: .acquiringAndReleasing) else { return }
        DispatchQueue.main.async { [self] in
            // Before it is heard: what happens from here on rings anew.
            isRung.store(false, ordering: .releasing)
            let body = listener.withLock { $0 }
            MainActor.assumeIsolated { body?() }
        }
    }
}
