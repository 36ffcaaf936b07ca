package import HelioCore

/// The watcher's end of a heartbeat: reports a crash if the sender has written no beat for too long without a clean
/// end.
///
/// Time counts as silence only while the watcher itself was reading, as the sender may be suspended together with the
/// watcher, for example with the whole machine.
package struct HeartbeatWatch: Engine {
    package enum Input: Sendable, Hashable {
        /// The content of the file; `nil` if there is no file, or it is malformed.
        case read(HeartbeatRecord?)
    }

    package enum Output: Sendable, Hashable {
        /// The file has to be read; ``Input/read(_:)`` follows.
        case read
        case event(HeartbeatEvent)
    }

    private let settings: HeartbeatSettings
    private var next: Instant
    private var lastRead: Instant?
    private var record: HeartbeatRecord?
    /// The time for which the record has not changed. Only time in which the watcher was reading counts.
    private var silence = Duration.zero
    private var told: HeartbeatEvent?
    private var outputs: [Output] = []

    /// Starts the watcher. The first read is due at once.
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
            // The first record may be that of a sender that was killed long ago, so the sender counts as running once
            // the record changes.
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
