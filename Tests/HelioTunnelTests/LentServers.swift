import HelioHost
import HelioOpenSSL
import HelioProtection
import HelioRemoteWire
import HelioRendezvous
import HelioRendezvousWire
import HelioSignaling
import HelioTunnel
import NIOCore
import NIOPosix

/// A browser's call for which a rendezvous lends servers, on a real event loop.
enum LentServers {
    /// Everything that has to live until the end of the test.
    private final class Ends {
        let call: JoinedCall
        let service: RemoteSignalingService
        var page: SealedCall?
        var host: SealedCall?

        init(_ call: JoinedCall, _ service: RemoteSignalingService) {
            self.call = call
            self.service = service
        }
    }

    /// Returns the servers with which the service opens the connection.
    ///
    /// - Parameter isNear: true if the rendezvous is on a network of this machine.
    static func found(_ entries: [TURNEntry], isNear: Bool) async throws -> (WebServers, drops: [String: Int]) {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let done = loop.makePromise(of: WebServers.self)
        let ends = try await loop.submit { () throws -> NIOLoopBound<Ends> in
            let service = RemoteSignalingService(on: loop) { _ in }
            service.begin { event in
                guard case .opened(let connection) = event else { return }
                done.succeed((connection as? RemoteSignalingConnection)?.servers ?? WebServers())
            }
            let ends = Ends(JoinedCall(on: loop) { _, _ in }, service)
            ends.call.host.lendsNearServers = isNear
            try call(ends, entries)
            return NIOLoopBound(ends, eventLoop: loop)
        }.get()
        let servers = try await done.futureResult.get()
        let drops = try await loop.submit {
            ends.value.service.end()
            return ends.value.service.currentStatistics.drops
        }.get()
        return (servers, drops)
    }

    private static func call(_ ends: Ends, _ entries: [TURNEntry]) throws {
        let secret = SecretBytes([UInt8](repeating: 7, count: 10))
        guard let device = RendezvousID([UInt8](repeating: 3, count: 16)) else { return }
        var random = SecureGenerator()
        let crypto = OpenSSLCrypto()
        ends.page = SealedCall(
            ends.call.ringer,
            sealer: try CallSealer(ringing: secret, device: device, crypto: crypto, random: &random))
        let host = SealedCall(
            ends.call.host,
            sealer: try CallSealer(answering: secret, device: device, crypto: crypto, random: &random))
        ends.host = host
        let hello = SignalingMessage.hello(
            .init(
                nonce: [UInt8](repeating: 1, count: 16), fingerprint: [UInt8](repeating: 2, count: 32),
                name: "Chrome"))
        ends.service.serve(host, hello, from: "203.0.113.9", entries)
    }
}
