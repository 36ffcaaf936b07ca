internal import HelioCore
internal import HelioLoop
private import Synchronization

/// Events that others cause as often as they like, such as refusals of strangers: a few at once, then one every 5 s, which
/// says how many there were meanwhile. All of them are counted in the statistics.
final class BoundedEvents: Sendable {
    private let limit = Mutex(LineLimit())
    private let what: String
    private let tell: @Sendable (MirrorSource.Event) -> Void

    /// - Parameter what: words behind the number of events that were left out.
    init(_ what: String, tell: @escaping @Sendable (MirrorSource.Event) -> Void) {
        self.what = what
        self.tell = tell
    }

    func put(_ event: MirrorSource.Event) {
        guard let leftOut = limit.withLock({ $0.take(now: MonotonicClock.now) }) else { return }
        if leftOut > 0 { tell(.info("\(leftOut) more \(what) meanwhile.")) }
        tell(event)
    }
}
