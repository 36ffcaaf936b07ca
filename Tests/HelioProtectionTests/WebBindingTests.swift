import Foundation
import HelioCore
import HelioOpenSSL
import HelioProtection
import Testing

@Suite("Proofs and codes of a browser's session")
struct WebBindingTests {
    /// The vectors in `Testing/Vectors/web-proofs.json`, which the page's tests use too.
    private struct Vectors: Decodable {
        var cases: [Case]

        struct Case: Decodable {
            var name: String
            var hostFingerprint: String
            var viewerFingerprint: String
            var binding: String
            var secret: String
            var viewerNonce: String
            var hostNonce: String
            var viewerProof: String
            var hostProof: String
            var viewerName: String
            var pairingViewerNonce: String
            var pairingHostNonce: String
            var commitment: String
            var code: String
        }
    }

    private func bytes(_ text: String) throws -> [UInt8] { try #require(Hexadecimal.bytes(text)) }

    @Test func golden() throws {
        let crypto = OpenSSLCrypto()
        let file = URL(filePath: #filePath).appending(path: "../../../Testing/Vectors/web-proofs.json").standardized
        let cases = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file)).cases
        #expect(cases.count >= 5)
        for one in cases {
            let binding = try WebBinding.digest(
                host: bytes(one.hostFingerprint), viewer: bytes(one.viewerFingerprint), crypto: crypto)
            #expect(Hexadecimal.text(binding) == one.binding, "\(one.name)")
            let proof = try #require(
                LinkProof(
                    secret: SecretBytes(bytes(one.secret)), binding: binding, clientNonce: bytes(one.viewerNonce),
                    hostNonce: bytes(one.hostNonce)))
            #expect(try Hexadecimal.text(proof.proof(by: .viewer, crypto: crypto)) == one.viewerProof, "\(one.name)")
            #expect(try Hexadecimal.text(proof.proof(by: .host, crypto: crypto)) == one.hostProof, "\(one.name)")
            let exchange = try #require(
                PairingExchange(
                    binding: binding, viewerName: one.viewerName, viewerNonce: bytes(one.pairingViewerNonce)))
            #expect(try Hexadecimal.text(exchange.commitment(crypto: crypto)) == one.commitment, "\(one.name)")
            let code = try exchange.code(hostNonce: bytes(one.pairingHostNonce), crypto: crypto)
            #expect(code.description == one.code, "\(one.name)")
        }
    }

    @Test func theEndsAreNotTheSame() throws {
        let crypto = OpenSSLCrypto()
        let (a, b) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        #expect(
            try WebBinding.digest(host: a, viewer: b, crypto: crypto)
                != WebBinding.digest(host: b, viewer: a, crypto: crypto))
    }
}
