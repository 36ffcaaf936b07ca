internal import HelioCore

/// Decides when a device's stream runs: through interruptions, routes that change and services that crash.
///
/// It calls nothing: who drives it does the step that each event gives, and tells how it went.
package struct SoundSessionPolicy: Sendable {
    /// What is to be done now.
    package enum Step: Sendable, Hashable {
        case nothing
        /// Make the stream and start it; where one is there, another in its place.
        case start
        /// Stop the stream, and let go of it.
        case halt
        /// Look whether the way of the sound is another one: if so, make another stream.
        case check
        /// Ask again (`retry`) after that time.
        case wait(Duration)
    }

    /// What happens when headphones are pulled out.
    package enum Unplugged: Sendable, Hashable {
        /// Silence, until another device is there or the app comes to the front: nobody around is to hear what one
        /// person heard. The habit of phones.
        case pauses
        /// The next device plays. The habit of computers.
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
            // Without the advice, somebody else plays: whoever comes back to the app goes on.
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
            // The session with its interruption is another one.
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

    /// The stream runs.
    package mutating func started() {
        failures = 0
        isRunning = true
    }

    /// The stream could not be made, or broke: another attempt after half a second, then less and less often.
    package mutating func failed() -> Step {
        isRunning = false
        guard mayRun else { return .nothing }
        failures = min(failures + 1, 5)
        return .wait(.milliseconds(250 << failures))
    }

    /// The time of `wait` is over.
    package mutating func retry() -> Step { isRunning ? .nothing : start() }

    /// Nobody plays or captures any more.
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
