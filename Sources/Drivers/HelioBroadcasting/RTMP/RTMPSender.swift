package import HelioBroadcast
package import HelioCore
import HelioGround
package import HelioLoop
import HelioTLS
package import NIOCore

/// Sends a broadcast by RTMP or RTMPS. Connects, and reconnects after each loss, until the server refuses permanently
/// or the sender is closed.
package final class RTMPSender: EngineSending {
    package let engine: SharedEngine<RTMPBroadcast>
    private let ended: EventLoopFuture<Void>

    /// Starts to connect. Throws `unsupported` for sound that RTMP can't carry, and `systemFailed` if TLS can't be set
    /// up.
    ///
    /// - Parameters:
    ///   - loop: the event loop of the connection.
    ///   - onEvent: called with each event on the loop, in order; must not block. The last event is a final state.
    package init(
        to address: RTMPAddress, _ tracks: BroadcastTracks, options: RTMPOptions = RTMPOptions(),
        on loop: any EventLoop, onEvent: @escaping @Sendable (BroadcastEvent) -> Void
    ) throws(HelioError) {
        if case .opus(let channels) = tracks.sound, !(1...2).contains(channels) {
            throw HelioError(.unsupported, "RTMP carries Opus of one or two channels.")
        }
        let trust = address.isSecure ? try ServerTrust(fingerprint: address.fingerprint) : nil
        let engine = SharedEngine(
            RTMPBroadcast(
                to: address, tracks, options: options, seed: .random(in: .min ... .max), now: MonotonicClock.now))
        let promise = loop.makePromise(of: Void.self)
        self.engine = engine
        ended = promise.futureResult
        loop.execute {
            SenderLoop(engine, RTMPLink(address, trust, on: loop), on: loop, ended: promise, onEvent).start()
        }
    }

    deinit { engine.submit(.end) }

    /// The number of bytes that were written to the connection, but not yet accepted by the kernel.
    package var unsentBytes: Int { engine.read { engine, _ in engine.unsentBytes } }

    package func close() async {
        engine.submit(.end)
        try? await ended.get()
    }
}
