private import Dispatch
private import Foundation
package import HelioBroadcast
package import HelioCore
private import Synchronization

/// Writes this process's heartbeat, on a thread of its own, until it is ended. Links neither NIO nor the network, so
/// that a broadcast extension can use it.
package final class HeartbeatSender: Sendable {
    private struct State {
        var source: HeartbeatSource
        var isOver = false
        var failures = 0
    }

    private final class Core: Sendable {
        let file: HeartbeatFile
        let run = UInt64.random(in: .min ... .max)
        let state: Mutex<State>
        let wakes = DispatchSemaphore(value: 0)

        init(_ file: HeartbeatFile, _ settings: HeartbeatSettings) {
            self.file = file
            state = Mutex(State(source: HeartbeatSource(settings, now: HeartbeatClock.now)))
        }

        /// Writes the beats that are due; returns the time until the next one, or `nil` after the end.
        func beat(isEnd: Bool = false) -> Duration? {
            // Under the lock, so that no beat is written after the one that marks the end.
            state.withLock { state in
                let now = HeartbeatClock.now
                if isEnd { state.source.handle(.end, now: now) }
                state.source.tick(now: now)
                while let beat = state.source.poll() {
                    let record = HeartbeatRecord(
                        run: run, sequence: beat.sequence, milliseconds: HeartbeatClock.milliseconds, isEnd: beat.isEnd)
                    do {
                        try file.write(record)
                    } catch {
                        // The next beat may succeed, for example if the disk has room again.
                        state.failures += 1
                    }
                }
                return state.isOver ? nil : state.source.deadline.map { max(.zero, $0.at - now) }
            }
        }
    }

    private let core: Core

    /// Starts the thread; the first beat is already written when this returns.
    ///
    /// - Parameter folder: a folder that only its owner may change, made if missing; one for each sender. Throws
    ///   `systemFailed` where it can't be used.
    package init(in folder: String, settings: HeartbeatSettings = HeartbeatSettings()) throws(HelioError) {
        let core = Core(try HeartbeatFile(in: folder), settings)
        self.core = core
        _ = core.beat()
        let thread = Thread {
            while let wait = core.beat() {
                _ = core.wakes.wait(timeout: .now() + .nanoseconds(Int(clamping: wait.nanoseconds)))
            }
        }
        thread.name = "heartbeat"
        thread.start()
    }

    /// Stops without marking the end: to the watcher, a sender that never called `end` has crashed.
    deinit {
        core.state.withLock { $0.isOver = true }
        core.wakes.signal()
    }

    /// Writes a beat that marks a clean end, before it returns.
    package func end() {
        _ = core.beat(isEnd: true)
        core.wakes.signal()
    }

    /// The number of beats that could not be written.
    package var failures: Int { core.state.withLock { $0.failures } }
}
