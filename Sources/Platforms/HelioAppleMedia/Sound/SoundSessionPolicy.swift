internal import HelioCore

/// The state machine that decides when a device's stream runs, across interruptions, route changes and crashes of the
/// media services.
///
/// The policy makes no calls itself: the driver executes the step that each method returns, and reports the outcome.
package struct SoundSessionPolicy: Sendable {
    /// The step that the driver must take.
    package enum Step: Sendable, Hashable {
        case nothing
        /// Makes a stream and starts it, replacing an earlier one.
        case start
        /// Stops the stream, and releases it.
        case halt
        /// Checks whether the route has changed; if so, makes another stream.
        case check
        /// Calls `retry` after this time.
        case wait(Duration)
    }

    /// The reaction when headphones are unplugged.
    package enum Unplugged: Sendable, Hashable {
        /// Pauses until another device is connected or the app becomes active, so that others don't hear private sound.
        /// Phones do this.
        case pauses
        /// Continues with another device. Computers do this.
        case goesOn
    }

    private let unplugged: Unplugged
    private var isOpen = true
    private var isInterrupted = false
    private var isUnplugged = false
    private var hasNoRoute = false
    private var hasNoServices = false
    private var failures = 0
    /// True while a stream runs.
    package private(set) var isRunning = false

    package init(_ unplugged: Unplugged) { self.unplugged = unplugged }

    private var mayRun: Bool { isOpen && !isInterrupted && !isUnplugged && !hasNoRoute && !hasNoServices }

    package mutating func handle(_ event: SoundSessionEvent) -> Step {
        guard isOpen else { return .nothing }
        switch event {
        case .interruptionBegan:
            isInterrupted = true
            return halt()
        case .interruptionEnded(let shouldResume):
            // An end without the advice to resume means that another app is playing; sound then resumes when the user
            // returns to this app.
            if shouldResume { isInterrupted = false }
            return isRunning ? .nothing : start()
        case .becameActive:
            isInterrupted = false
            isUnplugged = false
            return isRunning ? .nothing : start()
        case .routeChanged(let change, let wasPrivate): return handle(change, wasPrivate)
        case .servicesLost:
            hasNoServices = true
            return halt()
        case .servicesReset:
            hasNoServices = false
            // The interrupted session no longer exists.
            isInterrupted = false
            return start()
        }
    }

    private mutating func handle(_ change: SoundSessionEvent.RouteChange, _ wasPrivate: Bool) -> Step {
        switch change {
        case .deviceAvailable:
            hasNoRoute = false
            isUnplugged = false
            return start()
        case .deviceGone:
            guard wasPrivate, unplugged == .pauses else { return start() }
            isUnplugged = true
            return halt()
        case .noRoute:
            hasNoRoute = true
            return halt()
        case .other:
            hasNoRoute = false
            return isRunning ? .check : start()
        }
    }

    /// Records that the stream has started.
    package mutating func started() {
        failures = 0
        isRunning = true
    }

    /// Handles a stream that could not be made, or that has failed. The wait before the next attempt starts at 0.5 s
    /// and doubles up to 8 s.
    package mutating func failed() -> Step {
        isRunning = false
        guard mayRun else { return .nothing }
        failures = min(failures + 1, 5)
        return .wait(.milliseconds(250 << failures))
    }

    /// Handles the end of the time of `Step.wait`.
    package mutating func retry() -> Step { isRunning ? .nothing : start() }

    /// Ends playback or capture permanently.
    package mutating func close() -> Step {
        isOpen = false
        return halt()
    }

    private mutating func start() -> Step { mayRun ? .start : .nothing }

    private mutating func halt() -> Step {
        defer { isRunning = false }
        return isRunning ? .halt : .nothing
    }
}
