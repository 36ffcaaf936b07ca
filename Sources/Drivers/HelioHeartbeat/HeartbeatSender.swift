private import Dispatch
private import Foundation
package import HelioBroadcast
package import HelioCore
private import Synchronization

/// Writes this process's heartbeat, on a thread of its own, until it is ended. Links neither NIO nor the network, so that
/// a broadcast extension can have it.
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

        /// Writes what is due; gives the time until the next beat, or `nil` after the end.
        func beat(isEnd: Bool = false) -> Duration? {
            // Under the lock, so that no beat is written after the last.
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
                        // The next one may succeed: a disk has room again.
                        state.failures += 1
                    }
                }
                return state.isOver ? nil : state.source.deadline.map { max(.zero, $0.at - now) }
            }
        }
    }

    private let core: Core

    /// Starts, with a first beat that is written when this returns.
    ///
    /// - Parameter folder: its owner's alone, or made; one for each sender. Throws `systemFailed` where it can't be used.
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

    /// Whoever forgets the end seems to have crashed.
    deinit {
        core.state.withLock { $0.isOver = true }
        core.wakes.signal()
    }

    /// Marks a clean end; that is written when this returns.
    package func end() {
        _ = core.beat(isEnd: true)
        core.wakes.signal()
    }

    /// Beats that could not be written.
    package var failures: Int { core.state.withLock { $0.failures } }
}
