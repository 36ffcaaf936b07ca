internal import CSDL2

/// Wakes a window's wait from any thread.
final class WindowWaker: Sendable {
    /// An eventfd, readable once signalled.
    let descriptor: Int32

    init?() {
        descriptor = helio_eventfd()
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Ends the wait that is going on, or makes the next one return at once with `woken`.
    func wake() { helio_eventfd_signal(descriptor) }

    func take() -> Bool { helio_eventfd_take(descriptor) != 0 }
}
