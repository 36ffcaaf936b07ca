private import Dispatch
private import Synchronization

/// Calls a listener on the main thread soon after it was rung, once for any number of rings.
final class SessionBell: Sendable {
    private let isRung = Atomic(false)
    private let listener = Mutex<(@MainActor @Sendable () -> Void)?>(nil)

    func listen(_ body: @escaping @MainActor @Sendable () -> Void) { listener.withLock { $0 = body } }

    /// Rings the bell. Called on any thread.
    func ring() {
        guard !isRung.exchange(true, ordering: .acquiringAndReleasing) else { return }
        DispatchQueue.main.async { [self] in
            // Reset before the call, so that a ring during the call causes another one.
            isRung.store(false, ordering: .releasing)
            let body = listener.withLock { $0 }
            MainActor.assumeIsolated { body?() }
        }
    }
}
