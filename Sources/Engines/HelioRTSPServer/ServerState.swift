import HelioCore
import HelioProtection

/// The state that all connections of one server share.
final class ServerState {
    let crypto: any CryptoProvider
    /// The credentials; `nil` lets in whoever connects.
    let credentials: ServerCredentials?
    var random: any RandomNumberGenerator & Sendable
    /// The tries that each address has left.
    var guesses = DigestAdmission.guesses
    /// The even one of a pair of UDP ports; the next one is for reports. 0: there is no UDP.
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

    /// The ports that media goes from and comes to by UDP; `nil` where there is none.
    var ports: ClosedRange<UInt16>? { mediaPort > 0 ? mediaPort...mediaPort + 1 : nil }

    /// Makes a session identifier that can't be guessed: 64 bits (RFC 2326 section 3.4).
    func makeSessionID() -> String { Hexadecimal.text(SecretBytes(count: 8, using: &random).bytes) }

    /// Adds the counts of what was thrown away and of refusals.
    func addDrops(as kind: String, to all: inout [String: Int]) {
        all.add(drops, as: "\(kind)-")
        all.add(refusals, as: "refused-")
    }
}
