package import HelioBroadcast
package import HelioCore
import HelioLoop
import HelioOpenSSL
import HelioPeerPort
package import NIOCore

/// Sends a broadcast by WHIP (RFC 9725) to a WebRTC server: connects, and reconnects after each loss, until it is
/// refused for good or closed. Everything happens on one event loop.
///
/// The picture is H.264 or H.265, the sound Opus. The caller sets the encode's rate: if the path carries less, whole
/// groups of pictures are dropped, and ``linkStatistics`` has the estimate of the path's rate.
package final class WHIPSender: BroadcastSending {
    private let core: WHIPSenderCore
    private let ended: EventLoopFuture<Void>

    private init(_ core: WHIPSenderCore, _ ended: EventLoopFuture<Void>) {
        self.core = core
        self.ended = ended
    }

    /// Starts to connect. Throws `unsupported` for sound in AAC, which WebRTC does not know, and `systemFailed` without
    /// a port, encryption or TLS.
    ///
    /// - Parameters:
    ///   - token: the token that authorizes this client; `nil` if the server needs none, or the address contains it.
    ///   - loop: an event loop of SwiftNIO for POSIX sockets.
    ///   - onEvent: called on the loop, in order; must not block. The last one is a final state.
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
        let core = WHIPSenderCore(Broadcast(tracks, options.broadcast, now: MonotonicClock.now))
        let ended = loop.makePromise(of: Void.self)
        do {
            try await loop.submit {
                try WHIPSenderLoop(
                    core, to: address, token: token, tracks, options, port: port, certificates: certificates, on: loop,
                    ended: ended, onEvent
                ).start()
            }.get()
        } catch {
            ended.succeed()
            await port.close()
            throw error as? HelioError
                ?? HelioError(.systemFailed, "The broadcast can't be started: \(error).", cause: error)
        }
        return WHIPSender(core, ended.futureResult)
    }

    deinit { core.handle(.end) }

    package func send(_ picture: BroadcastPicture) { core.handle(.picture(picture)) }

    package func send(_ sound: EncodedSound) { core.handle(.sound(sound)) }

    package var statistics: BroadcastStatistics { core.statistics }

    /// The statistics that only WHIP has.
    package var linkStatistics: WHIPStatistics { core.link }

    package func close() async {
        core.handle(.end)
        try? await ended.get()
    }
}
