import HelioCore

/// Arithmetic on SRTP's 48-bit packet index: rollover counter and sequence number.
package enum SRTPIndex {
    /// The end of a key's life: one past the last index that it may be used for (RFC 3711 section 9.2).
    package static let limit: UInt64 = 1 << 48

    /// The index that `wire` most likely stands for, given the highest one that was authenticated
    /// (RFC 3711 section 3.3.1); `nil` past the end of the key's life.
    ///
    /// The first packet of a stream has a rollover counter of 0. So a sender begins in the lower half of the 16 bits,
    /// and packets lost at the start can't hide a wrap. There is no counter of -1 either: a number that would lie
    /// before index 0 is taken as one far ahead, and authentication decides.
    package static func estimate(wire: UInt16, highest: UInt64?) -> UInt64? {
        guard let highest else { return UInt64(wire) }
        let rollover = highest >> 16
        let last = UInt16(truncatingIfNeeded: highest)
        var guess = rollover
        if last < 0x8000 {
            if wire > last, wire - last > 0x8000, rollover > 0 { guess = rollover - 1 }
        } else if last - 0x8000 > wire {
            guess = rollover + 1
        }
        let index = guess << 16 | UInt64(wire)
        return index < limit ? index : nil
    }

    /// The nonce of AES-GCM: salt XOR (two zero bytes, SSRC, index). RFC 7714 sections 8.1 and 9.1 are equivalent, with
    /// SRTCP's 31-bit index extended by zeros to 48 bits.
    static func nonce(salt: AEADNonce, ssrc: SSRC, index: UInt64) -> AEADNonce {
        var nonce = salt
        mix(ssrc, index) { nonce[2 + $0] ^= $1 }
        return nonce
    }

    /// The counter block of AES-CM: (salt * 2^16) XOR (SSRC * 2^64) XOR (index * 2^16) (RFC 3711 section 4.1.1).
    /// `salt` holds 14 bytes and two zeros.
    static func counter(salt: CounterBlock, ssrc: SSRC, index: UInt64) -> CounterBlock {
        var counter = salt
        mix(ssrc, index) { counter[4 + $0] ^= $1 }
        return counter
    }

    @inline(__always)
    private static func mix(_ ssrc: SSRC, _ index: UInt64, into put: (Int, UInt8) -> Void) {
        for offset in 0..<4 { put(offset, UInt8(truncatingIfNeeded: ssrc.rawValue >> UInt32(24 - 8 * offset))) }
        for offset in 0..<6 { put(4 + offset, UInt8(truncatingIfNeeded: index >> UInt64(40 - 8 * offset))) }
    }
}
