import HelioCore
import HelioProtection

/// The state that all connections of one server share.
final class ServerState: DropCounting {
    /// The kind of clients, such as `player`, with which the names of drops begin.
    private let clients: String
    let crypto: any CryptoProvider
    /// The credentials; `nil` admits every connection.
    let credentials: ServerCredentials?
    var random: any RandomNumberGenerator & Sendable
    /// The limiter of authentication attempts by address.
    var guesses = DigestAdmission.guesses
    /// The even UDP port for RTP; the following port is for RTCP. 0 without UDP.
    var mediaPort: UInt16 = 0
    var drops = DropCounter<ServerDrop>()
    var refusals = DropCounter<DigestCheck.Refusal>()

    init(
        of clients: String, credentials: ServerCredentials?, crypto: any CryptoProvider,
        random: any RandomNumberGenerator & Sendable
    ) {
        self.clients = clients
        self.credentials = credentials
        self.crypto = crypto
        self.random = random
    }

    /// The UDP ports for RTP and RTCP; `nil` without UDP.
    var ports: ClosedRange<UInt16>? { mediaPort > 0 ? mediaPort...mediaPort + 1 : nil }

    /// Makes a random session identifier of 64 bits, so that it can't be guessed (RFC 2326 section 3.4).
    func makeSessionID() -> String { Hexadecimal.text(SecretBytes(count: 8, using: &random).bytes) }

    var allDrops: [String: Int] { .sum(drops.named("\(clients)-"), refusals.named("refused-")) }
}
