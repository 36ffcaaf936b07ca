package import HelioCore

/// Encodes sound as uncompressed 16-bit big-endian samples (L16, RFC 3551 section 4.5.11).
///
/// Samples above full scale are clipped.
package final class PCMEncoder: SoundEncoding {
    package let codec = SoundCodec.pcm
    package let format: SoundFormat
    package private(set) var framesPerPacket: Int

    /// Throws `invalidArgument` if a packet would have no samples, or be longer than 20 ms.
    package init(_ format: SoundFormat, packetDuration: Duration) throws(HelioError) {
        self.format = format
        framesPerPacket = try Self.frames(of: packetDuration, format)
    }

    package func encode(_ samples: [Float]) throws(HelioError) -> [UInt8]? {
        guard samples.count == framesPerPacket * format.channels else {
            throw HelioError(.invalidArgument, "A packet is \(framesPerPacket) sample frames, not these.")
        }
        return [UInt8](unsafeUninitializedCapacity: samples.count * 2) { bytes, count in
            for (index, sample) in samples.enumerated() {
                let value = UInt16(bitPattern: Self.quantized(sample))
                bytes[index * 2] = UInt8(truncatingIfNeeded: value >> 8)
                bytes[index * 2 + 1] = UInt8(truncatingIfNeeded: value)
            }
            count = samples.count * 2
        }
    }

    /// Sets the packet length; other settings have no effect.
    package func reconfigure(_ settings: SoundEncoderSettings) throws(HelioError) {
        framesPerPacket = try Self.frames(of: settings.packetDuration, format)
    }

    private static func quantized(_ sample: Float) -> Int16 {
        let scaled = (sample * 32768).rounded()
        if scaled >= 32767 { return 32767 }
        if scaled <= -32768 { return -32768 }
        // NaN becomes silence.
        return scaled.isNaN ? 0 : Int16(scaled)
    }

    private static func frames(of duration: Duration, _ format: SoundFormat) throws(HelioError) -> Int {
        let frames = Int(max(.zero, min(duration, .seconds(1))).nanoseconds) * format.sampleRate / 1_000_000_000
        guard frames > 0, duration <= .milliseconds(20) else {
            throw HelioError(.invalidArgument, "A packet of samples is up to 20 ms long, not \(duration).")
        }
        return frames
    }
}
