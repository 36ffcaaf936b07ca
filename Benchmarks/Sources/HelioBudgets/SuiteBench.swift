import HelioCore
import HelioOpenSSL
import HelioProtection

/// Measures SRTP with one of the specification's suites: the same packets as in `SRTPBench`, without a comparison.
struct SuiteBench {
    private static let packetLength = 1200

    private let suite: ProtectionSuite
    private let rounds: Int
    private let table: Table

    init(_ suite: ProtectionSuite, rounds: Int, _ table: Table) {
        self.suite = suite
        self.rounds = rounds
        self.table = table
    }

    /// Runs the measurements; returns whether both directions meet their budget.
    func run() throws -> Bool {
        var generator = SecureGenerator()
        let crypto = try makeCrypto(&generator)
        let key = SRTPMasterKey(profile: .aeadAes128Gcm, using: &generator)
        var sender = try SRTPSender(key: key, crypto: crypto)
        var receiver = try SRTPReceiver(key: key, crypto: crypto)
        var protectRounds: [Round] = []
        var openRounds: [Round] = []
        for round in 0..<rounds {
            let first = UInt64(round * Packets.roundLength)
            var packets = (0..<Packets.roundLength).map {
                Packets.plain(first + UInt64($0), length: Self.packetLength, room: suite.mostOverhead)
            }
            protectRounds.append(Packets.protect(&sender, &packets, first))
            openRounds.append(Packets.open(&receiver, &packets))
            for n in packets.indices {
                precondition(
                    packets[n] == Packets.plain(first + UInt64(n), length: Self.packetLength, room: suite.mostOverhead),
                    "not what was sent")
            }
        }
        let isProtectKept = table.row("\(suite.name) protect", Summary(protectRounds), budget: .suite)
        let isOpenKept = table.row("\(suite.name) open", Summary(openRounds), budget: .suite)
        return isProtectKept && isOpenKept
    }

    private func makeCrypto(_ generator: inout SecureGenerator) throws -> SuiteCrypto {
        guard
            let secret = SuiteSecret(
                for: suite.cipher, key: SecretBytes(generator.bytes(count: suite.cipher.keyLength)),
                vector: SecretBytes(generator.bytes(count: 16)),
                authenticationKey: SecretBytes(generator.bytes(count: 32)))
        else { preconditionFailure("these lengths fit") }
        return SuiteCrypto(
            try SuiteKeySchedule(suite, secret, crypto: OpenSSLCrypto()),
            vectorSeed: SecretBytes(generator.bytes(count: 32)), over: OpenSSLCrypto())
    }
}
