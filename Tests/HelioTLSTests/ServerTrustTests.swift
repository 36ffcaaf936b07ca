import HelioTLS
import Testing

struct ServerTrustTests {
    @Test(
        "what an error means before TLS is there",
        arguments: [
            (.certificateRefused("self-signed"), .wrongCertificate), (.alert(40), .noTLS), (.refused("?"), .noTLS),
            (.flooded, .noTLS), (.endedEarly, .endedEarly), (.truncated, .endedEarly),
        ] as [(TLSError, ServerTrust.Refusal)])
    func refusals(error: TLSError, refusal: ServerTrust.Refusal) throws {
        let pinned = try ServerTrust(fingerprint: [UInt8](repeating: 1, count: 32))
        #expect(pinned.refusal(error) == refusal)
        #expect(pinned.refusal(nil) == nil)
        #expect(pinned.refusal(CancellationError()) == nil)
        let vouched = try ServerTrust(fingerprint: nil)
        #expect(vouched.refusal(error) == (refusal == .wrongCertificate ? .untrusted : refusal))
    }
}
