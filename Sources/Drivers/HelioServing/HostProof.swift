internal import HelioCore
internal import HelioTLS
internal import NIOCore

/// The proof of a host's identity on one connection: its TLS certificate, which is compared with the expected one.
final class HostProof {
    private let certificate: HostDialer.Certificate?
    /// The SHA-256 of the certificate that the host has shown, 32 bytes; empty before.
    private(set) var seen: [UInt8] = []

    /// - Parameter certificate: `nil` accepts any host.
    init(_ certificate: HostDialer.Certificate?) { self.certificate = certificate }

    /// Gives an open connection its handlers, which begin the TLS handshake.
    ///
    /// - Parameter stream: the handler of the bytes inside TLS.
    func prepare(_ channel: any Channel, _ tls: TLSClientContext, _ stream: ByteStreamHandler) throws {
        let expected = certificate?.fingerprint
        let handler = try tls.handler { [self] seen in
            self.seen = seen
            return expected == nil || expected == seen
        }
        try channel.pipeline.syncOperations.addHandlers([handler, stream])
    }

    /// Makes the error of a connection that ended before the host had proven its identity.
    ///
    /// - Parameter place: the name of the host's address.
    func failure(at place: String, _ cause: (any Error)?) -> HelioError {
        if let certificate, !seen.isEmpty, seen != certificate.fingerprint { return certificate.mismatch(place) }
        return HelioError(
            .unreachable, "The host at \(place) closed the connection.", remedy: .startHost, cause: cause)
    }
}
