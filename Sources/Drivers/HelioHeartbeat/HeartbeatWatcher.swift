private import Dispatch
private import Foundation
package import HelioBroadcast
package import HelioCore
private import Synchronization

/// Watches the heartbeat of another process, on a thread of its own.
package final class HeartbeatWatcher: Sendable {
    private final class Core: Sendable {
        let isClosed = Mutex(false)
        let wakes = DispatchSemaphore(value: 0)
    }

    private let core = Core()

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - folder: the sender's folder. Throws `systemFailed` where others may change it.
    ///   - onEvent: called on the watcher's thread, in order.
    package init(
        in folder: String, settings: HeartbeatSettings = HeartbeatSettings(),
        onEvent: @escaping @Sendable (HeartbeatEvent) -> Void
    ) throws(HelioError) {
        let file = try HeartbeatFile(in: folder)
        let core = core
        let thread = Thread {
            var watch = HeartbeatWatch(settings, now: HeartbeatClock.now)
            while !core.isClosed.withLock({ $0 }) {
                watch.tick(now: HeartbeatClock.now)
                while let output = watch.poll() {
                    switch output {
                    case .read: watch.handle(.read(file.read()), now: HeartbeatClock.now)
                    case .event(let event): onEvent(event)
                    }
                }
                let wait = watch.deadline.map { max(.zero, $0.at - HeartbeatClock.now) } ?? .seconds(1)
                _ = core.wakes.wait(timeout: .now() + .nanoseconds(Int(clamping: wait.nanoseconds)))
            }
        }
        thread.name = "heartbeat-watcher"
        thread.start()
    }

    deinit { close() }

    /// Stops watching; events that are being reported may still arrive.
    package func close() {
        core.isClosed.withLock { $0 = true }
        core.wakes.signal()
    }
}
