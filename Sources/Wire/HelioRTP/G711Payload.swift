import HelioCore

/// The payload of G.711, which telephones and cameras send: a logarithmic sample in each byte
/// ([RFC 3551](https://www.rfc-editor.org/rfc/rfc3551) section 4.5.14).
///
/// ```
/// | sign | exponent (3) | mantissa (4) |     µ-law has all bits inverted, A-law the even bits
/// ```
package enum G711Payload {
    /// The two companding laws of ITU-T G.711.
    package enum Law: Sendable, Hashable, CaseIterable {
        /// PCMU, payload type 0.
        case mu
        /// PCMA, payload type 8.
        case a
    }

    /// Converts a payload to the format of `L16Payload`.
    package static func linear(_ payload: RawSpan, law: Law) -> [UInt8] {
        var linear: [UInt8] = []
        linear.reserveCapacity(payload.byteCount * 2)
        for offset in 0..<payload.byteCount {
            guard let byte = payload.uint8(at: offset) else { break }
            linear.append(bigEndian: UInt16(bitPattern: sample(byte, law: law)))
        }
        return linear
    }

    /// Decodes a byte to a 16-bit sample.
    package static func sample(_ byte: UInt8, law: Law) -> Int16 {
        switch law {
        case .mu:
            let bits = ~byte
            let magnitude = (Int16(bits & 0x0F) << 3 + 0x84) << Int16(bits >> 4 & 7) - 0x84
            return bits & 0x80 == 0 ? magnitude : -magnitude
        case .a:
            let bits = byte ^ 0x55
            let exponent = Int16(bits >> 4 & 7)
            let mantissa = Int16(bits & 0x0F) << 4 + 8
            let magnitude = exponent == 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
            return bits & 0x80 == 0 ? -magnitude : magnitude
        }
    }
}
