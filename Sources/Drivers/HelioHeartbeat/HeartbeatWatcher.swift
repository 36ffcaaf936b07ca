package import HelioBroadcast
package import HelioCore
private import HelioGround

/// Watches the heartbeat of another process, on a thread of its own.
package final class HeartbeatWatcher: Sendable {
    private let isClosed = ThreadMailbox(false)

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - folder: the sender's folder. Throws `systemFailed` if others may change it.
    ///   - onEvent: called on the watcher's thread, in order.
    package init(
        in folder: String, settings: HeartbeatSettings = HeartbeatSettings(),
        onEvent: @escaping @Sendable (HeartbeatEvent) -> Void
    ) throws(HelioError) {
        let file = try HeartbeatFile(in: folder)
        try WorkerThread.start(name: "heartbeat-watcher", stack: WorkerThread.usualStack) { [isClosed] in
            var watch = HeartbeatWatch(settings, now: MonotonicClock.now)
            while !isClosed.withLock({ $0 }) {
                watch.tick(now: MonotonicClock.now)
                while let output = watch.poll() {
                    switch output {
                    case .read: watch.handle(.read(file.read()), now: MonotonicClock.now)
                    case .event(let event): onEvent(event)
                    }
                }
                let next = watch.deadline?.at ?? MonotonicClock.now + .seconds(1)
                _ = isClosed.take(until: next) { $0 ? true : nil }
            }
        }
    }

    deinit { close() }

    /// Stops watching; events that are being reported may still arrive.
    package func close() {
        isClosed.put { $0 = true }
    }
}
