import HelioCore
import HelioProtection
import HelioSTUN

/// The long-term credentials for authenticating requests and verifying answers (RFC 8489 section 9.2), made from user
/// name, password and the server's challenge.
struct TURNCredentials {
    let realm: String
    private(set) var nonce: String
    /// The server's list of password algorithms; empty if the server does not implement RFC 8489.
    private let offered: [STUNPasswordAlgorithm]
    private let algorithm: STUNPasswordAlgorithm?
    /// The USERNAME attribute, or USERHASH if the server supports username anonymity.
    private let name: STUNAttribute
    private let integrity: STUNIntegrity
    private let mac: any MACContext

    /// Makes credentials; `nil` if the challenge lacks a nonce or realm.
    ///
    /// - Parameter realm: the realm to use if the challenge has none.
    init?(
        _ server: TURNServer, challenge: STUNMessage, realm: String? = nil, crypto: any CryptoProvider
    ) throws(TURNFailure) {
        guard let realm = challenge.realm ?? realm, let nonce = challenge.nonce else { return nil }
        guard server.username.utf8.count <= 513 else { throw .wrongCredentials }
        let features = NonceFeatures(nonce)
        let offered = challenge.passwordAlgorithms ?? []
        // A list of algorithms that the nonce announces, but that is missing, was removed by an attacker to force a
        // weaker algorithm.
        guard !features.hasPasswordAlgorithms || !offered.isEmpty else { throw .unsupportedAuthentication }
        let algorithm = offered.first { $0 == .md5 || $0 == .sha256 }
        guard offered.isEmpty || algorithm != nil else { throw .unsupportedAuthentication }
        let user = Array("\(server.username):\(realm)".utf8)
        let secret = user + [UInt8(ascii: ":")] + server.password.bytes
        do {
            let key = SecretBytes(try crypto.hash(algorithm == .sha256 ? .sha256 : .md5, secret.span.bytes))
            name =
                features.hidesUsername
                ? .userhash(try crypto.sha256(user.span.bytes)) : .username(server.username)
            mac = try crypto.mac(algorithm == nil ? .sha1 : .sha256, key: key)
        } catch {
            throw .cryptoFailed
        }
        self.realm = realm
        self.nonce = nonce
        self.offered = offered
        self.algorithm = algorithm
        integrity = algorithm == nil ? .sha1 : .sha256
    }

    /// Serialises a request with the authentication attributes and MESSAGE-INTEGRITY.
    func sign(_ request: STUNMessage) -> [UInt8] {
        var request = request
        request.attributes += [name, .realm(realm), .nonce(nonce)]
        if let algorithm { request.attributes += [.passwordAlgorithms(offered), .passwordAlgorithm(algorithm)] }
        return request.serialised(integrity: integrity) { mac.code(over: $0, trailer: nil).bytes }
    }

    /// Returns true if an answer has a valid MESSAGE-INTEGRITY.
    func isGenuine(_ answer: STUNPacket, _ bytes: [UInt8]) -> Bool {
        guard let seal = answer.seals[integrity] else { return false }
        // An answer whose nonce announces a missing list of algorithms has to be ignored (section 9.2.5).
        if let nonce = answer.message.nonce, NonceFeatures(nonce).hasPasswordAlgorithms,
            answer.message.passwordAlgorithms == nil
        {
            return false
        }
        let covered = answer.covered(by: seal, of: bytes.span.bytes)
        return mac.code(over: covered.span.bytes, trailer: nil).matches(seal.code.span.bytes)
    }
}

/// The security features that a server encodes in its nonce (RFC 8489 sections 9.2 and 18.1): the nonce begins with the
/// cookie `obMatJos2` and 24 bits in Base64. After erratum 6290, bit 0 is the least significant one.
private struct NonceFeatures {
    private var bits: UInt32 = 0

    init(_ nonce: String) {
        let cookie = Array("obMatJos2".utf8)
        guard nonce.utf8.starts(with: cookie) else { return }
        let digits = nonce.utf8.dropFirst(cookie.count).prefix(4)
        var bits: UInt32 = 0
        for digit in digits {
            guard let value = Self.value(digit) else { return }
            bits = bits << 6 | value
        }
        if digits.count == 4 { self.bits = bits }
    }

    var hasPasswordAlgorithms: Bool { bits & 1 != 0 }
    var hidesUsername: Bool { bits & 2 != 0 }

    /// The value of a Base64 digit.
    private static func value(_ digit: UInt8) -> UInt32? {
        switch digit {
        case 0x41...0x5A: UInt32(digit - 0x41)
        case 0x61...0x7A: UInt32(digit - 0x61) + 26
        case 0x30...0x39: UInt32(digit - 0x30) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
