import HelioCore

/// Functions for SRTP's 48-bit packet index, which consists of rollover counter and sequence number.
package enum SRTPIndex {
    /// The first index for which a key must no longer be used (RFC 3711 section 9.2).
    package static let limit: UInt64 = 1 << 48

    /// Estimates the index of the 16-bit sequence number `wire` from the highest authenticated index (RFC 3711 section
    /// 3.3.1); `nil` if the result is not below `limit`.
    ///
    /// The first packet of a stream has the rollover counter 0. Senders begin in the lower half of the sequence
    /// numbers, so that the loss of the first packets can't hide a wrap-around. A number that would give a negative
    /// index is estimated as one far ahead, whose authentication then fails.
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

    /// The nonce of AES-GCM: salt XOR (two zero bytes, SSRC, index). It serves both SRTP and SRTCP (RFC 7714 sections
    /// 8.1 and 9.1), whose 31-bit index is extended with zeros to 48 bits.
    static func nonce(salt: AEADNonce, ssrc: SSRC, index: UInt64) -> AEADNonce {
        var nonce = salt
        mix(ssrc, index) { nonce[2 + $0] ^= $1 }
        return nonce
    }

    /// The counter block of AES-CM: (salt * 2^16) XOR (SSRC * 2^64) XOR (index * 2^16) (RFC 3711 section 4.1.1). `salt`
    /// consists of 14 bytes of salt and two zero bytes.
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
