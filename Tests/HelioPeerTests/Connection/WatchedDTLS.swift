import HelioCore
import HelioOpenSSL
import HelioProtection

/// Tracks whether each association that it made still exists. For the single thread of a simulated world.
final class WatchedDTLS: DTLSProvider, @unchecked Sendable {
    private struct Made {
        weak var transport: (any DTLSTransport)?
    }

    private let base: OpenSSLDTLS
    private var made: [Made] = []

    init(_ base: OpenSSLDTLS) {
        self.base = base
    }

    var fingerprint: DTLSFingerprint { base.fingerprint }
    var count: Int { made.count }
    var living: Int { made.count { $0.transport != nil } }

    func transport(_ configuration: DTLSConfiguration, now: Instant) throws(DTLSError) -> any DTLSTransport {
        let transport = try base.transport(configuration, now: now)
        made.append(Made(transport: transport))
        return transport
    }
}
