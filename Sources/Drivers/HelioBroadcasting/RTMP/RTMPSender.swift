package import HelioBroadcast
package import HelioCore
import HelioLoop
package import NIOCore

/// Sends a broadcast by RTMP or RTMPS; connects, and reconnects after each loss, until it is refused for good or
/// closed.
package final class RTMPSender: BroadcastSending {
    private let core: RTMPSenderCore

    /// Starts to connect. Throws `unsupported` for sound that RTMP can't carry, `systemFailed` if TLS can't be set up.
    ///
    /// - Parameters:
    ///   - loop: the event loop of the connection.
    ///   - onEvent: called on the loop, in order; must not block. The last one is a final state.
    package init(
        to address: RTMPAddress, _ tracks: BroadcastTracks, options: RTMPOptions = RTMPOptions(),
        on loop: any EventLoop, onEvent: @escaping @Sendable (BroadcastEvent) -> Void
    ) throws(HelioError) {
        if case .opus(let channels) = tracks.sound, !(1...2).contains(channels) {
            throw HelioError(.unsupported, "RTMP carries Opus of one or two channels.")
        }
        core = try RTMPSenderCore(to: address, tracks, options, on: loop, onEvent)
        core.start()
    }

    deinit { core.handle(.end) }

    package func send(_ picture: BroadcastPicture) { core.handle(.picture(picture)) }

    package func send(_ sound: EncodedSound) { core.handle(.sound(sound)) }

    package var statistics: BroadcastStatistics { core.statistics }

    /// The bytes that were given to the connection, but not yet taken by the system.
    package var unsentBytes: Int { core.unsentBytes }

    package func close() async {
        core.handle(.end)
        await core.ended()
    }
}
