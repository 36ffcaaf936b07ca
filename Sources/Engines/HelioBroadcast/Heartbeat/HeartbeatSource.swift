package import HelioCore

/// The sender's end of a heartbeat: decides when a beat has to be written, and marks a clean end.
package struct HeartbeatSource: Engine {
    package enum Input: Sendable {
        /// The sender ends cleanly.
        case end
    }

    private let interval: Duration
    private var next: Instant
    private var sequence: UInt64 = 0
    private var outputs: [HeartbeatBeat] = []
    private var hasEnded = false

    /// Starts the heartbeat. The first beat is due at once.
    package init(_ settings: HeartbeatSettings = HeartbeatSettings(), now: Instant) {
        interval = max(settings.interval, .milliseconds(1))
        next = now
        tick(now: now)
    }

    package mutating func handle(_ input: consuming Input, now: Instant) {
        guard !hasEnded else { return }
        hasEnded = true
        // Replace a beat that was not written yet by the last beat.
        outputs = [HeartbeatBeat(sequence: sequence, isEnd: true)]
    }

    package mutating func tick(now: Instant) {
        guard !hasEnded, now >= next else { return }
        // Make only one beat due, however late the tick is.
        outputs = [HeartbeatBeat(sequence: sequence, isEnd: false)]
        sequence &+= 1
        next = now + interval
    }

    package mutating func poll() -> HeartbeatBeat? { outputs.popLast() }

    package var deadline: Deadline? { hasEnded ? nil : Deadline(at: next, why: "the next beat") }
}
