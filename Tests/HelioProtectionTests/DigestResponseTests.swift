import HelioOpenSSL
import HelioProtection
import Testing

@Suite("Digest authentication: the response")
struct DigestResponseTests {
    /// Both responses of the example in RFC 7616 section 3.9.1.
    @Test(
        "RFC 7616's example",
        arguments: [
            (HashAlgorithm.md5, "8ca523f5e9506fed4657c9700eebdbec"),
            (HashAlgorithm.sha256, "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ])
    func example(_ algorithm: HashAlgorithm, _ value: String) throws {
        let response = DigestResponse(
            algorithm: algorithm, username: "Mufasa", realm: "http-auth@example.org",
            password: SecretBytes(Array("Circle of Life".utf8)),
            nonce: "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v",
            quality: .init(nonceCount: "00000001", clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"))
        let crypto = OpenSSLCrypto()
        #expect(try response.value(method: "GET", uri: "/dir/index.html", crypto: crypto) == value)
        #expect(try response.matches(value, method: "GET", uri: "/dir/index.html", crypto: crypto))
        #expect(try response.matches(value.uppercased(), method: "GET", uri: "/dir/index.html", crypto: crypto))
        #expect(try !response.matches(value, method: "PUT", uri: "/dir/index.html", crypto: crypto))
        #expect(try !response.matches(value, method: "GET", uri: "/dir/other.html", crypto: crypto))
        #expect(try !response.matches(String(value.dropLast()), method: "GET", uri: "/dir/index.html", crypto: crypto))
        #expect(try !response.matches("", method: "GET", uri: "/dir/index.html", crypto: crypto))
    }

    /// The example of RFC 2069 section 2.4, with the value as corrected by erratum 749.
    @Test("RFC 2069's example")
    func withoutQuality() throws {
        let response = DigestResponse(
            algorithm: .md5, username: "Mufasa", realm: "testrealm@host.com",
            password: SecretBytes(Array("CircleOfLife".utf8)), nonce: "dcd98b7102dd2f0e8b11d0f600bfb0c093",
            quality: nil)
        #expect(
            try response.value(method: "GET", uri: "/dir/index.html", crypto: OpenSSLCrypto())
                == "1949323746fe6a43ef61f9606e7febea")
    }
}
