package import HelioBroadcast
package import HelioCore
import HelioGround
package import HelioLoop

/// Sends a broadcast by SRT in live mode, as an MPEG transport stream. Connects or listens, and does so again after
/// each loss, until the peer refuses permanently or the sender is closed. Uses one thread in addition to libsrt's
/// threads.
package final class SRTSender: EngineSending {
    package let engine: SharedEngine<SRTBroadcast>
    private let thread: WorkerThread

    /// Starts to connect or listen. Throws `invalidArgument` for a listener without protection, which would admit
    /// anybody, `unsupported` for tracks that a transport stream can't carry, and `systemFailed` if the system has no
    /// threads or descriptors left.
    ///
    /// - Parameter onEvent: called with each event on the sender's thread, in order; must not block. The last event is
    ///   a final state.
    package init(
        to address: SRTAddress, _ tracks: BroadcastTracks, options: SRTOptions = SRTOptions(),
        onEvent: @escaping @Sendable (BroadcastEvent) -> Void
    ) throws(HelioError) {
        try address.requireProtection()
        let engine = SharedEngine(
            try SRTBroadcast(to: address, tracks, options.broadcast, now: MonotonicClock.now))
        guard SRTLibrary.start(), let wakeup = try? Wakeup(), let wait = SRTWait(wakeup) else {
            throw HelioError(.systemFailed, "libsrt can't be started: the system has no threads or descriptors left.")
        }
        self.engine = engine
        engine.whenWoken { wakeup.signal() }
        thread = WorkerThread(name: "srt") {
            SRTSenderLoop(engine, to: address, peerTimeout: options.peerTimeout, wakeup, wait, onEvent).run()
        }
    }

    deinit { engine.submit(.end) }

    /// The statistics that are specific to SRT.
    package var linkStatistics: SRTStatistics { engine.read { engine, _ in engine.linkStatistics } }

    package func close() async {
        engine.submit(.end)
        await thread.join()
    }
}
