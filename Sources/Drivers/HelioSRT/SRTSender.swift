package import HelioBroadcast
package import HelioCore
import HelioGround
package import HelioSRTLink
private import Synchronization

/// Sends a broadcast by SRT's live mode, as a transport stream. Connects or listens, and does so again after each loss,
/// until it is refused for good or closed. Has one thread of its own, besides those of libsrt.
package final class SRTSender: BroadcastSending {
    private let core: SRTSenderCore
    private let thread: WorkerThread

    /// Starts to connect or listen. Throws `invalidArgument` for a listener that would let everybody watch,
    /// `unsupported` for tracks that a transport stream can't carry, `systemFailed` without threads or descriptors.
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
        guard SRTLibrary.start(), let wakeup = try? Wakeup() else {
            throw HelioError(.systemFailed, "libsrt can't be started: the system has no threads or descriptors left.")
        }
        var settings = options.broadcast
        // libsrt has a time-out for each of a name's addresses; the lookup takes time, too.
        settings.connectTimeout =
            address.mode == .listener ? nil : address.connectTimeout * SocketAddresses.limit + .seconds(15)
        let core = SRTSenderCore(wakeup, Broadcast(tracks, settings, now: MonotonicClock.now))
        self.core = core
        thread = WorkerThread(name: "srt") {
            SRTSenderLoop(core, to: address, tracks, options, onEvent).run()
        }
    }

    deinit { core.handle(.end) }

    package func send(_ picture: BroadcastPicture) { core.handle(.picture(picture)) }

    package func send(_ sound: EncodedSound) { core.handle(.sound(sound)) }

    package var statistics: BroadcastStatistics { core.statistics }

    /// The statistics that only SRT has.
    package var linkStatistics: SRTStatistics { core.linkStatistics }

    package func close() async {
        core.handle(.end)
        await thread.join()
    }
}
