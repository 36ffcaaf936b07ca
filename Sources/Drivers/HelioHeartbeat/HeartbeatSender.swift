package import HelioBroadcast
package import HelioCore
private import HelioGround

/// Writes this process's heartbeat, on a thread of its own, until `end` is called. Links neither SwiftNIO nor network
/// code, so that a broadcast extension can use it.
package final class HeartbeatSender: Sendable {
    private struct State: Sendable {
        var source: HeartbeatSource
        var isOver = false
        var failures = 0
    }

    private final class Core: Sendable {
        let file: HeartbeatFile
        let run = UInt64.random(in: .min ... .max)
        let state: ThreadMailbox<State>

        init(_ file: HeartbeatFile, _ settings: HeartbeatSettings) {
            self.file = file
            state = ThreadMailbox(State(source: HeartbeatSource(settings, now: MonotonicClock.now)))
        }

        /// Writes the beats that are due. Returns the instant of the next beat, or `nil` after the end.
        func beat(isEnd: Bool = false) -> Instant? {
            // The beats are written with the lock held, so that none is written after the beat that marks the end.
            state.put { state in
                let now = MonotonicClock.now
                if isEnd { state.source.handle(.end, now: now) }
                state.source.tick(now: now)
                while let beat = state.source.poll() {
                    let record = HeartbeatRecord(
                        run: run, sequence: beat.sequence, milliseconds: WallClock.milliseconds, isEnd: beat.isEnd)
                    do {
                        try file.write(record)
                    } catch {
                        // The next beat may succeed, for example if the disk then has space.
                        state.failures += 1
                    }
                }
                return state.isOver ? nil : state.source.deadline?.at
            }
        }

        /// Waits until the instant, or until there is no further beat.
        func wait(until next: Instant) {
            _ = state.take(until: next) { $0.isOver || $0.source.deadline == nil ? true : nil }
        }
    }

    private let core: Core

    /// Starts the thread; the first beat is already written when this returns.
    ///
    /// - Parameter folder: a folder that only its owner may change, made if missing. Each sender needs its own folder.
    ///   Throws `systemFailed` if the folder can't be used.
    package init(in folder: String, settings: HeartbeatSettings = HeartbeatSettings()) throws(HelioError) {
        let core = Core(try HeartbeatFile(in: folder), settings)
        self.core = core
        _ = core.beat()
        try WorkerThread.start(name: "heartbeat", stack: WorkerThread.smallStack) {
            while let next = core.beat() { core.wait(until: next) }
        }
    }

    /// Stops without marking the end. The watcher treats a sender that has not called `end` as crashed.
    deinit {
        core.state.put { $0.isOver = true }
    }

    /// Writes a beat that marks a clean end.
    package func end() {
        _ = core.beat(isEnd: true)
    }

    /// The number of beats that could not be written.
    package var failures: Int { core.state.withLock { $0.failures } }
}
