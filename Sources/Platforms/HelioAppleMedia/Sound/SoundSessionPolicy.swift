internal import HelioCore

/// Decides when a device's stream runs, across interruptions, changes of the route and crashes of the services.
///
/// Makes no calls itself: the driver executes the step that each event returns, and reports the outcome.
package struct SoundSessionPolicy: Sendable {
    /// The step that the driver must take.
    package enum Step: Sendable, Hashable {
        case nothing
        /// Make a stream and start it, in place of an earlier one.
        case start
        /// Stop the stream, and release it.
        case halt
        /// Check whether the route has changed: if so, make another stream.
        case check
        /// Call `retry` after that time.
        case wait(Duration)
    }

    /// The reaction to headphones that are pulled out.
    package enum Unplugged: Sendable, Hashable {
        /// Pause, until another device is there or the app comes to the front: others must not hear what one person
        /// heard. Phones do this.
        case pauses
        /// Go on with the next device. Computers do this.
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
            // Without the advice to resume, another app plays: sound resumes when the person returns to this app.
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

    /// Reports that the stream runs.
    package mutating func started() {
        failures = 0
        isRunning = true
    }

    /// Reports that the stream could not be made, or broke: the next attempt follows after half a second, then later
    /// and later.
    package mutating func failed() -> Step {
        isRunning = false
        guard mayRun else { return .nothing }
        failures = min(failures + 1, 5)
        return .wait(.milliseconds(250 << failures))
    }

    /// Reports that the time of `wait` is over.
    package mutating func retry() -> Step { isRunning ? .nothing : start() }

    /// Ends playing or capturing for good.
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
