/// A cipher suite for packets (requirement rows 32 to 36): a block cipher and an HMAC.
package struct ProtectionSuite: Sendable, Hashable {
    package var cipher: SuiteCipher
    package var integrity: SuiteIntegrity

    package init(_ cipher: SuiteCipher, _ integrity: SuiteIntegrity) {
        self.cipher = cipher
        self.integrity = integrity
    }

    package static let all = SuiteCipher.allCases.flatMap { cipher in
        SuiteIntegrity.allCases.map { ProtectionSuite(cipher, $0) }
    }

    /// The suite's name, for example `aes-256-cbc+hmac-sha256`.
    package var name: String { cipher.rawValue + "+" + integrity.rawValue }

    /// Makes the suite with this name; `nil` if there is none.
    package init?(name: String) {
        let parts = name.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let cipher = SuiteCipher(rawValue: parts[0]),
            let integrity = SuiteIntegrity(rawValue: parts[1])
        else { return nil }
        self.init(cipher, integrity)
    }

    /// The minimum number of bytes by which sealing lengthens a packet: 1 byte of padding, the initialisation vector
    /// and the tag.
    package var leastOverhead: Int { 1 + SuiteCipher.blockLength + integrity.tagLength }
    /// The maximum number of bytes by which sealing lengthens a packet, with a whole block of padding.
    package var mostOverhead: Int { 2 * SuiteCipher.blockLength + integrity.tagLength }
}
