package import HelioCore

/// Decides when a service starts and stops the program that shares a desktop: it follows the desktop as people log in
/// and out, and starts the program again after a crash, each time later, up to a minute.
package struct Supervision: Sendable {
    package enum Order: Sendable, Equatable {
        case start(DesktopPlace)
        /// Ask the program to end; ``ended(now:)`` follows once it has.
        case stop
        /// End the program, which has not ended when it was asked to.
        case kill
    }

    private enum State: Equatable {
        case idle
        case running(DesktopPlace, since: Instant)
        case stopping(since: Instant)
        /// The program has crashed, and starts again at this time at the earliest.
        case waiting(until: Instant)
    }

    /// The waits after crashes.
    package static let firstWait = Duration.seconds(1), longestWait = Duration.seconds(60)
    /// The time within which a program ends that is asked to.
    package static let endTime = Duration.seconds(5)
    /// The time after which a program that ran counts as good, so that waits begin anew.
    package static let goodTime = Duration.seconds(60)

    private var state = State.idle
    private var wanted: DesktopPlace?
    private var retry = Retry(first: Self.firstWait, longest: Self.longestWait)
    /// True once the service is to end: nothing is started any more.
    private var isOver = false

    package init() {}

    /// The time at which the program starts again after a crash; `nil` if none waits.
    package var startsAt: Instant? {
        guard case .waiting(let time) = state, wanted != nil else { return nil }
        return time
    }

    /// True while the program runs, also while it ends.
    package var isRunning: Bool {
        switch state {
        case .running, .stopping: true
        case .idle, .waiting: false
        }
    }

    /// Takes the desktop to share now, `nil` for none; called every few seconds, and whenever it may have changed.
    package mutating func follow(_ place: DesktopPlace?, now: Instant) -> Order? {
        wanted = place
        return next(now)
    }

    /// Takes the end of the program, whether it was asked to end or not.
    package mutating func ended(now: Instant) -> Order? {
        if case .running(_, let since) = state {
            if now - since >= Self.goodTime { retry.succeeded() }
            state = .waiting(until: retry.failed(now: now) ?? now + Self.longestWait)
        } else {
            state = .idle
        }
        return next(now)
    }

    /// Ends the service.
    package mutating func end(now: Instant) -> Order? {
        isOver = true
        return next(now)
    }

    private mutating func next(_ now: Instant) -> Order? {
        let wanted = isOver ? nil : wanted
        switch state {
        case .running(let place, _):
            if let wanted, place.isSame(as: wanted) { return nil }
            state = .stopping(since: now)
            return .stop
        case .stopping(let since):
            guard now - since >= Self.endTime else { return nil }
            state = .stopping(since: now)
            return .kill
        case .waiting(let time) where now < time: return nil
        case .idle, .waiting:
            guard let wanted else { return nil }
            state = .running(wanted, since: now)
            return .start(wanted)
        }
    }
}
