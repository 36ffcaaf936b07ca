package import HelioCore
package import HelioOpenSSL
package import HelioPeerPort
package import HelioRendezvousPort
package import NIOCore

/// The needs of both ends of a tunnel by a rendezvous server: sockets for ICE, and a certificate.
package enum TunnelGround {
    /// Opens the sockets in which ICE looks for a way to the other end. If that fails, the result is `nil`, and the
    /// rendezvous server carries everything.
    ///
    /// - Parameters:
    ///   - address: the only address of this machine to use; `nil`, or an unspecified one, for all of them. Loopback
    ///     addresses are used if the server is on this machine, as the other end may then be here too.
    package static func openPort(
        for place: RendezvousPlace, at address: String? = nil, on loop: any EventLoop
    ) async -> PeerPort? {
        var settings = PeerPortSettings()
        if let ip = address.flatMap({ IPAddress($0) }), !ip.isUnspecified { settings.addresses = [ip] }
        settings.includesLoopback = place.isOnThisMachine
        return try? await PeerPort.open(settings, on: loop)
    }

    /// Makes a certificate for one run. Any will do, as the sealed call has its fingerprint.
    package static func makeCertificate() throws(HelioError) -> OpenSSLDTLS {
        do {
            return try OpenSSLDTLS(DTLSIdentity())
        } catch {
            throw HelioError(.systemFailed, "OpenSSL can't make a certificate: is its version 3?", cause: error)
        }
    }
}
