package import HelioAdmission
package import HelioCore
private import HelioLinks
private import HelioPeerPort
private import HelioProtection
private import HelioRendezvousPort
package import HelioServing
private import HelioTunnel
package import NIOCore
private import Synchronization

/// A viewer's call to a host by a rendezvous server, for one session or pairing. Used on any thread.
package struct RendezvousCall: Sendable {
    /// The links that a session by the call may use.
    package enum Ways: Sendable {
        /// The best of all.
        case every
        /// TURN servers and the rendezvous server: nothing goes straight between the ends. The server still tells the
        /// host the viewer's address, and the host's answer has its own.
        case relayed
        /// The rendezvous server alone.
        case server
    }

    private static let lastNumber = Atomic<UInt64>(0)

    /// The call as the way of a session or pairing, which closes it.
    package let route: NIOLoopBound<any HostRoute>
    private let own: NIOLoopBound<RendezvousRoute>
    private let loop: any EventLoop

    private init(_ route: RendezvousRoute, on loop: any EventLoop) {
        self.route = NIOLoopBound(route, eventLoop: loop)
        own = NIOLoopBound(route, eventLoop: loop)
        self.loop = loop
    }

    /// Makes a call to the host of a link or a pairing; `finish` has to follow. Throws `invalidArgument` if no
    /// rendezvous server is known for the host.
    package static func make(
        to link: ShareLink, by ways: Ways, on loop: any EventLoop
    ) async throws(HelioError) -> RendezvousCall {
        guard let host = link.rendezvous else {
            throw HelioError(
                .invalidArgument,
                link.device == nil
                    ? "The link names no rendezvous server: share with one there, and take a fresh link."
                    : "No rendezvous server is known for \(link.name ?? link.authority): share with one there, and "
                        + "watch it once on its own network, or pair again.")
        }
        let place = try RendezvousPlace(parsing: host.server)
        let certificate = try TunnelGround.makeCertificate()
        let port = ways == .server ? nil : await TunnelGround.openPort(for: place, on: loop)
        var settings = TunnelSettings()
        settings.usesRelaysOnly = ways == .relayed
        let secret = SecretBytes(link.callSecret ?? link.secret)
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        do {
            return try await loop.submit { [settings] in
                let route = try RendezvousRoute(
                    place, to: host, secret: secret, port: port, certificate, number: number, settings, on: loop)
                return RendezvousCall(route, on: loop)
            }.get()
        } catch {
            await port?.close()
            if let error = error as? HelioError { throw error }
            throw HelioError(.ended, "The attempt to connect was given up.", cause: error)
        }
    }

    /// Calls the host until its stream is open, or the task is cancelled. Returns the error if it can't be opened.
    package func open() async -> HelioError? {
        do {
            _ = try await withTaskCancellationHandler {
                try await loop.flatSubmit { [own] in own.value.open() }.get()
            } onCancel: {
                loop.execute { [own] in own.value.close() }
            }
            return nil
        } catch {
            return error as? HelioError ?? HelioError(.unreachable, "The host can't be called.", cause: error)
        }
    }

    /// The kind of the link that carries the picture: direct, relayed or rendezvous; `nil` while there is none.
    package func link() async -> String? {
        try? await loop.submit { [own] in own.value.link?.name }.get()
    }

    /// Closes the call, and waits until its sockets are closed, a second at most.
    package func finish() async { try? await loop.flatSubmit { [own] in own.value.finish() }.get() }
}
