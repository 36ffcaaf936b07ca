/// The authentication of a suite's packets (row 36); the raw value is the name on the wire and on the command line.
package enum SuiteIntegrity: String, Sendable, Hashable, CaseIterable {
    case hmacSHA256 = "hmac-sha256"
    /// HMAC-SHA256 truncated to its first 128 bits: our reading of the spec's "SHA128", which is no algorithm.
    case hmacSHA256Cut = "hmac-sha256-128"
    /// MD5 is broken as a hash, but no forgery of HMAC-MD5 is known (RFC 6151 section 2.3). For old devices only.
    case hmacMD5 = "hmac-md5"

    /// The length of a tag, in bytes.
    package var tagLength: Int { self == .hmacSHA256 ? 32 : 16 }
    /// The length of a key, in bytes: that of the hash, as RFC 2104 section 3 recommends.
    package var keyLength: Int { self == .hmacMD5 ? 16 : 32 }
    var algorithm: MACAlgorithm { self == .hmacMD5 ? .md5 : .sha256 }
}
