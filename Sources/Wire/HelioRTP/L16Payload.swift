import HelioCore

/// The payload of uncompressed sound: 16-bit samples, signed, big-endian, interleaved
/// ([RFC 3551](https://www.rfc-editor.org/rfc/rfc3551) section 4.5.11).
///
/// ```
/// | left (16) | right (16) | left (16) | right (16) | …
/// ```
package enum L16Payload {
    /// Appends samples; values beyond ±1 are clipped, NaN becomes silence.
    package static func write(_ samples: some Collection<Float>, into payload: inout [UInt8]) {
        payload.reserveCapacity(payload.count + samples.count * 2)
        for sample in samples {
            let scaled = (sample * 32768).rounded()
            let value = scaled.isNaN ? 0 : Int16(min(max(scaled, -32768), 32767))
            payload.append(bigEndian: UInt16(bitPattern: value))
        }
    }

    /// The samples of a payload, from -1 to just below 1; a single byte at the end is ignored.
    package static func samples(_ payload: RawSpan) -> [Float] {
        let count = payload.byteCount / 2
        return [Float](unsafeUninitializedCapacity: count) { samples, filled in
            for index in 0..<count {
                let value = Int16(bigEndian: payload.unsafeLoadUnaligned(fromByteOffset: index * 2, as: Int16.self))
                samples[index] = Float(value) / 32768
            }
            filled = count
        }
    }

    /// The number of samples of each channel in a payload of `count` bytes; `nil` if that is not a whole number.
    package static func frames(bytes count: Int, channels: Int) -> Int? {
        count.isMultiple(of: 2 * channels) ? count / (2 * channels) : nil
    }
}
