package import HelioCore
import HelioLoop
package import HelioSRTLink
private import Synchronization

/// Sends a transport stream by SRT's live mode: connects or waits for whoever connects, and does so again whenever that
/// breaks, until it is refused for good or closed. Has one thread of its own, and libsrt has some.
package final class SRTSender: Sendable {
    private let core: SRTSenderCore
    private let thread: WorkerThread

    /// Starts.
    ///
    /// - Parameter onEvent: called on the sender's thread, in order; must not block. The last one is a final state.
    package init(
        to address: SRTAddress, options: SRTOptions = SRTOptions(), onEvent: @escaping @Sendable (SRTEvent) -> Void
    ) throws(HelioError) {
        guard SRTLibrary.start(), let pipe = WakePipe() else {
            throw HelioError(.systemFailed, "libsrt can't be started: the system has no threads or descriptors left.")
        }
        let core = SRTSenderCore(pipe, options)
        self.core = core
        thread = WorkerThread(name: "srt") {
            SRTSenderLoop(core, to: address, options, onEvent).run()
        }
    }

    deinit { core.close() }

    /// Sends a group, or drops it and counts that. Any thread; never blocks.
    package func send(_ group: SRTMessageGroup) { core.put(group, now: MonotonicClock.now) }

    package var statistics: SRTStatistics { core.statistics }

    /// Sends what waits, if that goes soon, and ends. Returns when the last event has come.
    package func close() async {
        core.close()
        await thread.join()
    }
}
