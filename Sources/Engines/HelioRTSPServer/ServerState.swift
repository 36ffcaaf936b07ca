import HelioCore
import HelioProtection

/// The state that all connections of one server share.
final class ServerState {
    let crypto: any CryptoProvider
    /// The credentials; `nil` admits every connection.
    let credentials: ServerCredentials?
    var random: any RandomNumberGenerator & Sendable
    /// The tries that each address has left.
    var guesses = DigestAdmission.guesses
    /// The even port of the pair of UDP ports, for RTP; the next is for RTCP. 0 if there is no UDP.
    var mediaPort: UInt16 = 0
    var drops = DropCounter<ServerDrop>()
    var refusals = DropCounter<DigestCheck.Refusal>()

    init(
        credentials: ServerCredentials?, crypto: any CryptoProvider, random: any RandomNumberGenerator & Sendable
    ) {
        self.credentials = credentials
        self.crypto = crypto
        self.random = random
    }

    /// The UDP ports of this server's media; `nil` if there are none.
    var ports: ClosedRange<UInt16>? { mediaPort > 0 ? mediaPort...mediaPort + 1 : nil }

    /// Makes a session identifier that can't be guessed: 64 bits (RFC 2326 section 3.4).
    func makeSessionID() -> String { Hexadecimal.text(SecretBytes(count: 8, using: &random).bytes) }

    /// Adds the counts of drops, with `kind` before their names, and those of refusals.
    func addDrops(as kind: String, to all: inout [String: Int]) {
        all.add(drops, as: "\(kind)-")
        all.add(refusals, as: "refused-")
    }
}
