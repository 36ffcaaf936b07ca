package import HelioBroadcast
package import HelioCore
import HelioLocalSocket
import HelioLoop
package import HelioSRTLink
private import Synchronization

/// Sends a broadcast by SRT's live mode, as a transport stream: connects or waits for whoever connects, and does so again
/// whenever that breaks, until it is refused for good or closed. Has one thread of its own, and libsrt has some.
package final class SRTSender: BroadcastSending {
    private let core: SRTSenderCore
    private let thread: WorkerThread

    /// Starts. Throws `invalidArgument` for a listener that would let everybody watch, `unsupported` for tracks that a
    /// transport stream can't carry, `systemFailed` without threads or descriptors.
    ///
    /// - Parameter onEvent: called on the sender's thread, in order; must not block. The last one is a final state.
    package init(
        to address: SRTAddress, _ tracks: BroadcastTracks, options: SRTOptions = SRTOptions(),
        onEvent: @escaping @Sendable (BroadcastEvent) -> Void
    ) throws(HelioError) {
        try address.requireProtection()
        guard (try? SRTMultiplexer(tracks)) != nil else {
            throw HelioError(.unsupported, "A transport stream can't carry this picture and sound.")
        }
        guard SRTLibrary.start(), let pipe = try? WakePipe() else {
            throw HelioError(.systemFailed, "libsrt can't be started: the system has no threads or descriptors left.")
        }
        var settings = options.broadcast
        // The library has a time for each of a name's addresses; looking them up takes some, too.
        settings.connectTimeout =
            address.mode == .listener ? nil : address.connectTimeout * SocketAddresses.limit + .seconds(15)
        let core = SRTSenderCore(pipe, Broadcast(tracks, settings, now: MonotonicClock.now))
        self.core = core
        thread = WorkerThread(name: "srt") {
            SRTSenderLoop(core, to: address, tracks, options, onEvent).run()
        }
    }

    deinit { core.handle(.end) }

    package func send(_ picture: BroadcastPicture) { core.handle(.picture(picture)) }

    package func send(_ sound: EncodedSound) { core.handle(.sound(sound)) }

    package var statistics: BroadcastStatistics { core.statistics }

    /// What of it is SRT's own.
    package var linkStatistics: SRTStatistics { core.linkStatistics }

    package func close() async {
        core.handle(.end)
        await thread.join()
    }
}
