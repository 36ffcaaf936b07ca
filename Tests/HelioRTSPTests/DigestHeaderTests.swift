import HelioRTSP
import Testing

@Suite("Digest authentication: headers")
struct DigestHeaderTests {
    /// The challenge of RFC 7616 section 3.9.1 with both `qop` values.
    private static let challenge = """
        Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, \
        nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
        """

    @Test("RFC 7616's challenge is read")
    func example() throws {
        let challenge = try #require(DigestChallenge.list(Self.challenge).first)
        #expect(challenge.realm == "http-auth@example.org")
        #expect(challenge.nonce == "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v")
        #expect(challenge.opaque == "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS")
        #expect(challenge.algorithm == .sha256 && challenge.offersQuality && !challenge.isStale)
    }

    @Test(
        "challenges as servers write them",
        arguments: [
            ("Digest realm=\"a\", nonce=\"n\"", ["a n MD5 old"]),
            ("digest NONCE=\"n\",REALM=\"a\",Stale=TRUE", ["a n MD5 old stale"]),
            ("Basic realm=\"b\", Digest realm=\"a\", nonce=\"n\", qop=\"auth\"", ["a n MD5 auth"]),
            ("Negotiate, Digest realm=a,nonce=n,algorithm=\"md5\", Basic realm=\"x\"", ["a n MD5 old"]),
            ("Digest realm=\"a, \\\"b\\\"\", nonce=\"n\\\\\"", ["a, \"b\" n\\ MD5 old"]),
            (
                "Digest realm=\"a\", nonce=\"n\", algorithm=SHA-256, qop=\"auth\", Digest realm=\"a\", nonce=\"m\"",
                ["a n SHA-256 auth", "a m MD5 old"]
            ),
        ])
    func challenges(_ header: String, _ read: [String]) {
        let list = DigestChallenge.list(header)
        let texts = list.map {
            "\($0.realm) \($0.nonce) \($0.algorithm.rawValue) \($0.offersQuality ? "auth" : "old")"
                + ($0.isStale ? " stale" : "")
        }
        #expect(texts == read)
        for challenge in list { #expect(DigestChallenge.list(challenge.value) == [challenge]) }
    }

    @Test(
        "what can't be answered, or is malformed, is no challenge",
        arguments: [
            "", "Digest", "Digest ", "Basic realm=\"a\"", "Digest realm=\"a\"", "Digest nonce=\"n\"",
            "Digest realm=\"a\", nonce=\"n\", algorithm=SHA-512-256",
            "Digest realm=\"a\", nonce=\"n\", algorithm=MD5-sess",
            "Digest realm=\"a\", nonce=\"n\", qop=\"auth-int\"", "Digest realm=\"a\", nonce=\"n",
            "Digest realm=\"a\", realm=\"b\", nonce=\"n\"", "Digest realm=\"a\"b, nonce=\"n\"",
            "realm=\"a\", nonce=\"n\"",
            "Digest realm=\"a\", nonce=\"n\", " + (0..<64).map { "x\($0)=1" }.joined(separator: ","),
            "Digest realm=\"a\", nonce=\"" + String(repeating: "n", count: 5000) + "\"",
        ])
    func hostileChallenges(_ header: String) {
        #expect(DigestChallenge.list(header).isEmpty)
    }

    @Test("credentials come back as they were written")
    func roundTrip() throws {
        let plain = DigestCredentials(
            username: "a \"b\" \\", realm: "r", nonce: "n", uri: "rtsp://h/s", response: "00ff", algorithm: .md5)
        #expect(DigestCredentials(plain.value) == plain)
        #expect(!plain.value.contains("algorithm"), "RFC 2069's servers don't know it")
        var counted = plain
        counted.algorithm = .sha256
        counted.opaque = "o"
        counted.quality = .init(nonceCount: 0xAB, clientNonce: "c")
        #expect(DigestCredentials(counted.value) == counted)
        #expect(counted.value.contains("qop=auth, nc=000000ab, cnonce=\"c\""))
        #expect("\(counted)" == "<digest credentials>")
    }

    @Test(
        "malformed credentials are refused",
        arguments: [
            "", "Basic dXNlcjpwYXNz", "Digest username=\"u\", realm=\"r\", nonce=\"n\", uri=\"/\"",
            "Digest username=\"u\", realm=\"r\", nonce=\"n\", uri=\"/\", response=\"0\", algorithm=SHA-512",
            "Digest username=\"u\", realm=\"r\", nonce=\"n\", uri=\"/\", response=\"0\", qop=auth-int, nc=00000001, cnonce=\"c\"",
            "Digest username=\"u\", realm=\"r\", nonce=\"n\", uri=\"/\", response=\"0\", qop=auth, nc=1, cnonce=\"c\"",
            "Digest username=\"u\", realm=\"r\", nonce=\"n\", uri=\"/\", response=\"0\", qop=auth, nc=+0000001, cnonce=\"c\"",
            "Digest username=\"u\", realm=\"r\", nonce=\"n\", uri=\"/\", response=\"0\", qop=auth, nc=0000000g, cnonce=\"c\"",
            "Digest username=\"u\", realm=\"r\", nonce=\"n\", uri=\"/\", response=\"0\", qop=auth, nc=00000001",
            "Digest username=\"u\", realm=\"r\", nonce=\"n\", uri=\"/\", response=\"0\", Basic realm=\"x\"",
        ])
    func hostileCredentials(_ header: String) {
        #expect(DigestCredentials(header) == nil)
    }
}
