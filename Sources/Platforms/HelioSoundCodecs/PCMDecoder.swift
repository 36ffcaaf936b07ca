package import HelioCore

/// Decodes 16-bit big-endian samples (L16, RFC 3551 section 4.5.11).
package final class PCMDecoder: SoundDecoding {
    package let codec = SoundCodec.pcm
    package let format: SoundFormat

    /// Throws `unsupported` if there are not one or two channels, or the rate is not positive.
    package init(_ format: SoundFormat) throws(HelioError) {
        guard (1...2).contains(format.channels), format.sampleRate > 0 else {
            throw HelioError(
                .unsupported, "There is no output for \(format.channels) channels at \(format.sampleRate) Hz.")
        }
        self.format = format
    }

    package func decode(_ payload: [UInt8]) throws(HelioError) -> [Float] {
        guard !payload.isEmpty, payload.count.isMultiple(of: 2 * format.channels) else {
            throw HelioError(.decoderFailed, "\(payload.count) bytes are no whole samples.")
        }
        return [Float](unsafeUninitializedCapacity: payload.count / 2) { samples, count in
            count = payload.count / 2
            for index in 0..<count {
                let value = UInt16(payload[index * 2]) << 8 | UInt16(payload[index * 2 + 1])
                samples[index] = Float(Int16(bitPattern: value)) / 32768
            }
        }
    }

    package func recover(from next: [UInt8], frames: Int) -> [Float]? { nil }

    package func conceal(frames: Int) -> [Float]? { nil }
}
