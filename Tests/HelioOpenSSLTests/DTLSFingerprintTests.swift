import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioSimulation
import Testing

@Suite("Who the peer of a DTLS association is")
struct DTLSFingerprintTests {
    static let right = DTLSEnd.provider.fingerprint
    static let wrong = DTLSEnd.otherProvider.fingerprint

    @Test("a client refuses a stranger")
    func strangeServer() throws {
        let world = DTLSWorld(try DTLSEnd(.client, expects: [Self.wrong]), try DTLSEnd(.server))
        try world.settle()
        #expect(world.a.failure == .wrongFingerprint && world.a.session == nil)
        // bad_certificate
        #expect(world.b.failure == .alert(42) && world.b.session == nil)
    }

    @Test("a server refuses a stranger")
    func strangeClient() throws {
        let world = DTLSWorld(try DTLSEnd(.client), try DTLSEnd(.server, expects: [Self.wrong]))
        try world.settle()
        #expect(world.b.failure == .wrongFingerprint && world.b.session == nil)
        #expect(world.a.failure == .alert(42) && world.a.session == nil)
    }

    @Test("nobody sits in between unseen")
    func between() throws {
        for role in [DTLSRole.client, .server] {
            let stranger = DTLSEnd.otherProvider
            let client = try DTLSEnd(.client, provider: role == .client ? stranger : DTLSEnd.provider)
            let server = try DTLSEnd(.server, provider: role == .server ? stranger : DTLSEnd.provider)
            let world = DTLSWorld(client, server, .lossy20, seed: 3)
            try world.run(for: .seconds(40))
            #expect(world.a.session == nil && world.b.session == nil)
            #expect((role == .client ? world.b : world.a).failure == .wrongFingerprint)
        }
    }

    @Test("one of several is enough, and only the strongest hash counts")
    func several() throws {
        func fails(_ expected: [DTLSFingerprint]) throws -> Bool {
            let world = DTLSWorld(try DTLSEnd(.client, expects: expected), try DTLSEnd(.server))
            try world.settle()
            if world.a.failure == nil { #expect(world.a.session?.peer == Self.right) }
            return world.a.failure == .wrongFingerprint
        }
        let zeros = try #require(DTLSFingerprint(.sha512, [UInt8](repeating: 0, count: 64)))
        #expect(try !fails([Self.wrong, Self.right]))
        #expect(try fails([Self.right, zeros]))
        #expect(throws: DTLSError.noFingerprint) { try DTLSEnd(.client, expects: []) }
    }

    @Test("a fingerprint reads as in a session description")
    func text() throws {
        let fingerprint = try #require(DTLSFingerprint(.sha256, [0x0A, 0xFF] + [UInt8](repeating: 1, count: 30)))
        #expect("\(fingerprint)" == "sha-256 0A:FF:" + [String](repeating: "01", count: 30).joined(separator: ":"))
        #expect(DTLSFingerprint(.sha256, [1]) == nil && DTLSFingerprint(.sha384, [UInt8](0..<32)) == nil)
        #expect(Self.right != Self.wrong)
    }
}
