package import HelioBroadcast
package import HelioCore
import HelioGround
package import HelioLoop
import HelioOpenSSL
import HelioPeerPort
package import NIOCore

/// Sends a broadcast by WHIP (RFC 9725) to a WebRTC server. Connects, and reconnects after each loss, until the server
/// refuses permanently or the sender is closed. Everything happens on one event loop.
///
/// The video is H.264 or H.265, the sound Opus. The caller sets the encoder's bitrate. If the path carries less, whole
/// groups of pictures are dropped; ``linkStatistics`` contains the path's estimated bitrate.
package final class WHIPSender: EngineSending {
    package let engine: SharedEngine<WHIPBroadcast>
    private let ended: EventLoopFuture<Void>

    private init(_ engine: SharedEngine<WHIPBroadcast>, _ ended: EventLoopFuture<Void>) {
        self.engine = engine
        self.ended = ended
    }

    /// Starts to connect. Throws `unsupported` for AAC, which WebRTC does not support, `invalidArgument` without any
    /// track, and `systemFailed` if no port, certificate or TLS context can be made.
    ///
    /// - Parameters:
    ///   - token: the token that authorizes this client; `nil` if the server needs none, or the address contains it.
    ///   - loop: a SwiftNIO event loop for POSIX sockets.
    ///   - onEvent: called with each event on the loop, in order; must not block. The last event is a final state.
    package static func start(
        to address: WHIPAddress, token: StreamSecret? = nil, _ tracks: BroadcastTracks,
        options: WHIPOptions = WHIPOptions(), on loop: any EventLoop,
        onEvent: @escaping @Sendable (BroadcastEvent) -> Void
    ) async throws(HelioError) -> WHIPSender {
        if case .aac? = tracks.sound {
            throw HelioError(.unsupported, "WHIP can't carry sound in AAC: WebRTC has Opus.")
        }
        guard tracks.video != nil || tracks.sound != nil else {
            throw HelioError(.invalidArgument, "A broadcast has a picture, sound or both.")
        }
        let certificates: OpenSSLDTLS
        do {
            certificates = try OpenSSLDTLS(DTLSIdentity())
        } catch {
            throw HelioError(.systemFailed, "OpenSSL can't make a certificate: is its version 3?", cause: error)
        }
        let port = try await PeerPort.open(options.port, on: loop)
        let engine = SharedEngine(
            WHIPBroadcast(
                to: address, token: token, tracks, options.broadcast, options.exchange,
                gatheringTime: options.gatheringTime, now: MonotonicClock.now))
        let ended = loop.makePromise(of: Void.self)
        do {
            try await loop.submit {
                let link = try WHIPLink(address, tracks, options, port: port, certificates: certificates, on: loop)
                SenderLoop(engine, link, on: loop, ended: ended, onEvent).start()
            }.get()
        } catch {
            ended.succeed()
            await port.close()
            throw error as? HelioError
                ?? HelioError(.systemFailed, "The broadcast can't be started: \(error).", cause: error)
        }
        return WHIPSender(engine, ended.futureResult)
    }

    deinit { engine.submit(.end) }

    /// The statistics that are specific to WHIP.
    package var linkStatistics: WHIPStatistics { engine.read { engine, _ in engine.linkStatistics } }

    package func close() async {
        engine.submit(.end)
        try? await ended.get()
    }
}
