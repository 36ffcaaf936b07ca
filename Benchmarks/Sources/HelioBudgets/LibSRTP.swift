import CSRTP
import HelioProtection

/// One direction of libsrtp2, with the same key as Heliograph's.
final class LibSRTP {
    private var session: srtp_t?

    static func start() {
        let status = srtp_init()
        precondition(status == srtp_err_status_ok, "srtp_init: \(status)")
    }

    init(key: SRTPMasterKey, isSending: Bool) {
        var policy = srtp_policy_t()
        switch key.profile {
        case .aes128CmHmacSha1_80:
            srtp_crypto_policy_set_rtp_default(&policy.rtp)
            srtp_crypto_policy_set_rtcp_default(&policy.rtcp)
        case .aeadAes128Gcm:
            srtp_crypto_policy_set_aes_gcm_128_16_auth(&policy.rtp)
            srtp_crypto_policy_set_aes_gcm_128_16_auth(&policy.rtcp)
        case .aeadAes256Gcm:
            srtp_crypto_policy_set_aes_gcm_256_16_auth(&policy.rtp)
            srtp_crypto_policy_set_aes_gcm_256_16_auth(&policy.rtcp)
        }
        policy.ssrc.type = isSending ? ssrc_any_outbound : ssrc_any_inbound
        policy.window_size = 1024
        var bytes = key.keyAndSalt.bytes
        let status = bytes.withUnsafeMutableBufferPointer {
            policy.key = $0.baseAddress
            return srtp_create(&session, &policy)
        }
        precondition(status == srtp_err_status_ok, "srtp_create: \(status)")
    }

    deinit { srtp_dealloc(session) }

    /// Protects in place; `buffer` has room for the trailer. Returns the new length.
    @inline(__always)
    func protect(_ buffer: UnsafeMutablePointer<UInt8>, count: Int) -> Int {
        var length = Int32(count)
        let status = srtp_protect(session, buffer, &length)
        precondition(status == srtp_err_status_ok)
        return Int(length)
    }

    @inline(__always)
    func open(_ buffer: UnsafeMutablePointer<UInt8>, count: Int) -> Int {
        var length = Int32(count)
        let status = srtp_unprotect(session, buffer, &length)
        precondition(status == srtp_err_status_ok)
        return Int(length)
    }

    func protectControl(_ packet: inout [UInt8]) { control(&packet, srtp_protect_rtcp) }
    func openControl(_ packet: inout [UInt8]) { control(&packet, srtp_unprotect_rtcp) }

    private func control(
        _ packet: inout [UInt8],
        _ work: (srtp_t?, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int32>?) -> srtp_err_status_t
    ) {
        var length = Int32(packet.count)
        packet += [UInt8](repeating: 0, count: 64)
        let status = packet.withUnsafeMutableBytes { work(session, $0.baseAddress, &length) }
        precondition(status == srtp_err_status_ok, "RTCP: \(status)")
        packet.removeLast(packet.count - Int(length))
    }
}
