/// The HMAC of a suite (requirement row 36). The raw value is the name in signalling and on the command line.
package enum SuiteIntegrity: String, Sendable, Hashable, CaseIterable {
    case hmacSHA256 = "hmac-sha256"
    /// HMAC-SHA256 truncated to 128 bits, our interpretation of "SHA128" in the requirements, as there is no such
    /// algorithm.
    case hmacSHA256Cut = "hmac-sha256-128"
    /// HMAC-MD5, for old devices only. MD5 is broken as a hash, but no practical forgery of HMAC-MD5 is known (RFC 6151
    /// section 2.3).
    case hmacMD5 = "hmac-md5"

    /// The length of the tag, in bytes.
    package var tagLength: Int { self == .hmacSHA256 ? 32 : 16 }
    /// The length of the key in bytes, which is the length of the hash, as RFC 2104 section 3 recommends.
    package var keyLength: Int { self == .hmacMD5 ? 16 : 32 }
    var algorithm: MACAlgorithm { self == .hmacMD5 ? .md5 : .sha256 }
}
