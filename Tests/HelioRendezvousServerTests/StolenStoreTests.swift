import Foundation
import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioRendezvous
import HelioRendezvousPort
import HelioRendezvousServer
import HelioRendezvousWire
import HelioTestLanes
import HelioTestPrograms
import Testing

@Suite("A thief with everything that a rendezvous server's store holds", .timeLimit(.minutes(1)), .tags(.quiet))
struct StolenStoreTests {
    private static let secret = SecretBytes((0..<32).map { UInt8($0 &* 7 &+ 1) })

    /// Shows another device's public key, and signs with a key of its own.
    private struct Thief: DeviceSigner {
        let publicKey: [UInt8]
        let own: Ed25519Key

        func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] { try own.sign(message) }
    }

    /// What a store holds of a host: its name, public key and the tag of one permit.
    private struct Loot {
        let device: RendezvousID
        let key: [UInt8]
        let tag: RingTag

        /// All that could be shown in a token's place, or sealed with in a secret's.
        var pieces: [[UInt8]] { [device.bytes, tag.bytes, Array(key[..<16]), Array(key[16...])] }
    }

    /// Lets a host with a permit register at a server with a store in a file, and returns the file's bytes.
    private func fill(_ path: String, by key: Ed25519Key) async throws -> Loot {
        let service = try await Service(store: SQLiteStore(path: path))
        let host = try await Device(at: service.place(), key: key)
        let device = try host.id()
        let token = try Self.token(device)
        try await host.permit([token])
        try await host.online()
        let reader = try SQLiteStore(path: path)
        try await eventually("the permit is stored") { try reader.device(device, now: 0)?.permits.count == 1 }
        await host.stop()
        await service.stop()
        return Loot(device: device, key: key.publicKey, tag: try CallKeys.tag(of: token, OpenSSLCrypto()))
    }

    private static func token(_ device: RendezvousID) throws -> RingToken {
        try CallKeys.token(of: secret, for: device, OpenSSLCrypto())
    }

    @Test("the file holds public keys and hashes of tokens, and neither tokens nor secrets")
    func content() async throws {
        try await Service.withFolder { folder in
            let path = folder + "/rendezvous.sqlite"
            let loot = try await fill(path, by: Ed25519Key())
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            let all = try names.map { try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0)) }.reduce(Data(), +)
            func holds(_ bytes: [UInt8]) -> Bool { all.range(of: Data(bytes)) != nil }
            #expect(holds(loot.key) && holds(loot.tag.bytes) && holds(loot.device.bytes))
            let token = try Self.token(loot.device)
            #expect(!holds(token.bytes) && !holds(Self.secret.bytes) && !holds(Array(Self.secret.bytes[..<8])))
        }
    }

    @Test("a thief can't ring with it, can't register with it, and can't read or seal with it")
    func use() async throws {
        try await Service.withFolder { folder in
            let path = folder + "/rendezvous.sqlite"
            let key = try Ed25519Key()
            let loot = try await fill(path, by: key)
            let service = try await Service(store: SQLiteStore(path: path))
            let host = try await Device(at: service.place(), key: key)
            try await host.permit([try Self.token(loot.device)])
            try await host.online()

            let viewer = try await Device.viewer(at: service.place())
            for piece in loot.pieces {
                let call = try await viewer.ring(loot.device, try #require(RingToken(piece)))
                try await viewer.wait(for: .hungUp(call, .notPermitted))
            }
            let thief = try await Device(at: service.place(), key: Thief(publicKey: loot.key, own: Ed25519Key()))
            try await thief.wait(for: .refused(.wrongSignature))
            // The host is still who is there.
            let call = try await viewer.ring(loot.device, try Self.token(loot.device))
            try await viewer.wait(for: .ringing(call))
            try sealsNothing(loot)
            for device in [host, viewer, thief] { await device.stop() }
            await service.stop()
        }
    }

    private func sealsNothing(_ loot: Loot) throws {
        var random = SeededGenerator(seed: 1)
        let crypto = OpenSSLCrypto()
        for piece in loot.pieces + [loot.key] {
            var ringer = try CallSealer(
                ringing: SecretBytes(piece), device: loot.device, crypto: crypto, random: &random)
            let host = try CallSealer(answering: Self.secret, device: loot.device, crypto: crypto, random: &random)
            let forged = Self.failure(of: host, try ringer.seal([1]))
            #expect(forged == .notAuthentic)
            var honest = try CallSealer(ringing: Self.secret, device: loot.device, crypto: crypto, random: &random)
            let reader = try CallSealer(
                answering: SecretBytes(piece), device: loot.device, crypto: crypto, random: &random)
            let read = Self.failure(of: reader, try honest.seal([1]))
            #expect(read == .notAuthentic)
        }
    }

    private static func failure(of end: consuming CallSealer, _ envelope: [UInt8]) -> EnvelopeError? {
        do throws(EnvelopeError) {
            _ = try end.open(envelope)
            return nil
        } catch {
            return error
        }
    }
}
