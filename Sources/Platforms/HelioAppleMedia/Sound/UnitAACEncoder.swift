package import HelioCore

/// Encodes AAC-LC with the system's encoder (ISO/IEC 14496-3): a packet is one raw access unit of 1024 sample frames.
package final class UnitAACEncoder: SoundEncoding {
    package let codec = SoundCodec.aac
    package let format: SoundFormat
    package let framesPerPacket = 1024
    package var delayFrames: Int { coder.delayFrames }
    private let coder: any AccessUnitCoding

    private static let bitrates = 24_000...320_000

    package init(_ format: SoundFormat, bitrate: Int, by coder: any AccessUnitCoding) {
        self.format = format
        self.coder = coder
        coder.set(bitrate: Self.clamped(bitrate))
    }

    package func encode(_ samples: [Float]) throws(HelioError) -> [UInt8]? {
        guard samples.count == framesPerPacket * format.channels else {
            throw HelioError(.invalidArgument, "A packet is \(framesPerPacket) sample frames, not these.")
        }
        let unit = try coder.encode(samples.map { $0.isFinite ? $0 : 0 })
        guard let unit, !unit.isEmpty else { return nil }
        // The size field of an access unit has 13 bits (RFC 3640 section 3.3.6).
        guard unit.count <= 8191 else { throw HelioError(.encoderFailed, "A packet of AAC is too large.") }
        return unit
    }

    /// Sets the bitrate; the packet length is fixed by the codec.
    package func reconfigure(_ settings: SoundEncoderSettings) { coder.set(bitrate: Self.clamped(settings.bitrate)) }

    private static func clamped(_ bitrate: Int) -> Int {
        min(max(bitrate, bitrates.lowerBound), bitrates.upperBound)
    }
}
