/// An SRTP protection profile. The raw value is its name in SDES (RFC 4568 section 6.2, RFC 7714 section 14.1).
package enum SRTPProfile: String, Sendable, Hashable, CaseIterable {
    /// AES-128 in counter mode, with HMAC-SHA1 truncated to 80 bits. Every WebRTC peer supports it.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case aes128CmHmacSha1_80 = "AES_CM_128_HMAC_SHA1_80"
    /// AES-128-GCM with a 16-byte tag, the default.
    case aeadAes128Gcm = "AEAD_AES_128_GCM"
    case aeadAes256Gcm = "AEAD_AES_256_GCM"

    /// The length of the master key and of each session encryption key, in bytes.
    package var keyLength: Int { self == .aeadAes256Gcm ? 32 : 16 }
    /// The length of the master salt and of each session salt, in bytes.
    package var saltLength: Int { isAEAD ? 12 : 14 }
    /// The length of a session authentication key, in bytes.
    package var authenticationKeyLength: Int { isAEAD ? 0 : 20 }
    package var tagLength: Int { isAEAD ? aeadTagLength : 10 }
    package var isAEAD: Bool { self != .aes128CmHmacSha1_80 }

    /// The number of bytes by which encryption lengthens an RTP packet.
    package var rtpOverhead: Int { tagLength }
    /// The number of bytes by which encryption lengthens an RTCP packet: the tag, and the word of E bit and index.
    package var rtcpOverhead: Int { tagLength + 4 }
}
