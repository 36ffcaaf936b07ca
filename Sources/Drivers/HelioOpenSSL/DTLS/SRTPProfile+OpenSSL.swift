import COpenSSL
import HelioProtection

extension SRTPProfile {
    /// The profile's name for `SSL_set_tlsext_use_srtp`.
    var nameInOpenSSL: String {
        switch self {
        case .aes128CmHmacSha1_80: "SRTP_AES128_CM_SHA1_80"
        case .aeadAes128Gcm: "SRTP_AEAD_AES_128_GCM"
        case .aeadAes256Gcm: "SRTP_AEAD_AES_256_GCM"
        }
    }

    /// Makes the profile from its number in `use_srtp` (RFC 5764 section 4.1.2, RFC 7714 section 14.2); `nil` for an
    /// unknown number.
    init?(openSSL number: UInt) {
        switch Int32(number) {
        case SRTP_AES128_CM_SHA1_80: self = .aes128CmHmacSha1_80
        case SRTP_AEAD_AES_128_GCM: self = .aeadAes128Gcm
        case SRTP_AEAD_AES_256_GCM: self = .aeadAes256Gcm
        default: return nil
        }
    }
}
