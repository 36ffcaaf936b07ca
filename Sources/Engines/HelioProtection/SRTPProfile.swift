/// A set of SRTP transforms; the raw value is its name in SDES (RFC 4568 section 6.2, RFC 7714 section 14.1).
package enum SRTPProfile: String, Sendable, Hashable, CaseIterable {
    /// AES-128 in counter mode with HMAC-SHA1 truncated to 80 bits, which every WebRTC peer supports.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case aes128CmHmacSha1_80 = "AES_CM_128_HMAC_SHA1_80"
    /// AES-128 in GCM with a 16-byte tag: the default.
    case aeadAes128Gcm = "AEAD_AES_128_GCM"
    case aeadAes256Gcm = "AEAD_AES_256_GCM"

    /// The length of the master key, and of each session key for encryption, in bytes.
    package var keyLength: Int { self == .aeadAes256Gcm ? 32 : 16 }
    /// The length of the master salt, and of each session salt, in bytes.
    package var saltLength: Int { isAEAD ? 12 : 14 }
    /// The length of the session key for authentication, in bytes.
    package var authenticationKeyLength: Int { isAEAD ? 0 : 20 }
    package var tagLength: Int { isAEAD ? aeadTagLength : 10 }
    package var isAEAD: Bool { self != .aes128CmHmacSha1_80 }

    /// The number of bytes by which protection makes an RTP packet longer.
    package var rtpOverhead: Int { tagLength }
    /// The number of bytes by which protection makes an RTCP packet longer: the tag, and the word with E bit and index.
    package var rtcpOverhead: Int { tagLength + 4 }
}
