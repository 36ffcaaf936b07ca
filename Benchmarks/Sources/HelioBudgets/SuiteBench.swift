import HelioCore
import HelioOpenSSL
import HelioProtection

/// SRTP under one of the spec's suites: the same packets as in `SRTPBench`, with nothing to compare them with.
struct SuiteBench {
    private static let packetLength = 1200
    private static let headerLength = 12
    private static let roundLength = 256

    private let suite: ProtectionSuite
    private let rounds: Int
    private let table: Table

    init(_ suite: ProtectionSuite, rounds: Int, _ table: Table) {
        self.suite = suite
        self.rounds = rounds
        self.table = table
    }

    /// Whether both directions keep to their budget.
    func run() throws -> Bool {
        var generator = SecureGenerator()
        let crypto = try makeCrypto(&generator)
        let key = SRTPMasterKey(profile: .aeadAes128Gcm, using: &generator)
        var sender = try SRTPSender(key: key, crypto: crypto)
        var receiver = try SRTPReceiver(key: key, crypto: crypto)
        var protectRounds: [Round] = []
        var openRounds: [Round] = []
        for round in 0..<rounds {
            let first = UInt64(round * Self.roundLength)
            var packets = (0..<Self.roundLength).map { packet(first + UInt64($0)) }
            protectRounds.append(protect(&sender, &packets, first))
            openRounds.append(open(&receiver, &packets))
            for n in packets.indices { precondition(packets[n] == packet(first + UInt64(n)), "not what was sent") }
        }
        let isProtectKept = table.row("\(suite.name) protect", Summary(protectRounds), budget: .suite)
        let isOpenKept = table.row("\(suite.name) open", Summary(openRounds), budget: .suite)
        return isProtectKept && isOpenKept
    }

    private func protect(_ sender: inout SRTPSender, _ packets: inout [[UInt8]], _ first: UInt64) -> Round {
        Round.measure(packets: packets.count) {
            for n in packets.indices {
                do throws(SRTPError) {
                    try sender.protect(
                        rtp: &packets[n], headerLength: Self.headerLength,
                        sequence: ExtendedSequence(first + UInt64(n)))
                } catch {
                    preconditionFailure("\(error)")
                }
            }
        }
    }

    private func open(_ receiver: inout SRTPReceiver, _ packets: inout [[UInt8]]) -> Round {
        Round.measure(packets: packets.count) {
            for n in packets.indices {
                do throws(SRTPDrop) {
                    _ = try receiver.open(rtp: &packets[n])
                } catch {
                    preconditionFailure("\(error)")
                }
            }
        }
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

    /// With room for what protection appends, as the packetiser leaves it.
    private func packet(_ sequence: UInt64) -> [UInt8] {
        var packet: [UInt8] = []
        packet.reserveCapacity(Self.packetLength + suite.mostOverhead)
        packet += [0x80, 96]
        packet.append(bigEndian: UInt16(truncatingIfNeeded: sequence))
        packet.append(bigEndian: UInt32(truncatingIfNeeded: sequence / 4 * 1500))
        packet.append(bigEndian: UInt32(7))
        for offset in Self.headerLength..<Self.packetLength { packet.append(UInt8(truncatingIfNeeded: offset &* 31)) }
        return packet
    }
}
