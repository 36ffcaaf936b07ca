package import HelioCore

/// Watches a sender's heartbeat: says that it has crashed when nothing was written for too long, and nothing of the kind
/// after a clean end.
///
/// What counts is the time in which this watcher did look: where it was suspended itself, as with the whole machine, a
/// silence of that time means nothing.
package struct HeartbeatWatch: Engine {
    package enum Input: Sendable, Hashable {
        /// What was read: `nil` where there is no file, or none that can be read.
        case read(HeartbeatRecord?)
    }

    package enum Output: Sendable, Hashable {
        /// Read the file; ``Input/read(_:)`` follows.
        case read
        case event(HeartbeatEvent)
    }

    private let settings: HeartbeatSettings
    private var next: Instant
    private var lastRead: Instant?
    private var record: HeartbeatRecord?
    /// The time looked at without a change.
    private var silence = Duration.zero
    private var told: HeartbeatEvent?
    private var outputs: [Output] = []

    /// Starts: it is to be read at once.
    package init(_ settings: HeartbeatSettings = HeartbeatSettings(), now: Instant) {
        self.settings = settings
        next = now
        tick(now: now)
    }

    package mutating func handle(_ input: consuming Input, now: Instant) {
        guard case .read(let read) = input else { return }
        let passed = lastRead.map { max(.zero, now - $0) } ?? .zero
        let isFirst = lastRead == nil
        lastRead = now
        if let read, read != record {
            // What was there when we came may be of one that is long gone: it is running once it changes.
            record = read
            silence = .zero
            if read.isEnd {
                if !isFirst { tell(.ended) } else { told = .ended }
            } else if !isFirst || read.sequence == 0 {
                tell(.running)
            }
            return
        }
        guard let record, !record.isEnd else { return }
        silence += min(passed, readInterval * 2)
        if silence >= settings.silence { tell(.crashed) }
    }

    package mutating func tick(now: Instant) {
        guard now >= next else { return }
        next = now + readInterval
        if !outputs.contains(.read) { outputs.append(.read) }
    }

    package mutating func poll() -> Output? { outputs.isEmpty ? nil : outputs.removeFirst() }

    package var deadline: Deadline? { Deadline(at: next, why: "the heartbeat is looked at") }

    private var readInterval: Duration { max(settings.readInterval, .milliseconds(1)) }

    private mutating func tell(_ event: HeartbeatEvent) {
        guard event != told else { return }
        told = event
        outputs.append(.event(event))
    }
}
