package import HelioCore

/// Converts samples of any `DeviceSampleFormat` to interleaved stereo floats, and back.
///
/// Mono is copied to both channels; of more than two channels, the first two are used. NaN and infinite values become
/// 0.
enum SampleReader {
    /// The maximum number of sample frames per callback: no device delivers more at once.
    static let mostFrames = 65_536

    /// Reads one buffer per channel, or one interleaved buffer, as stereo. Returns `nil` if there are fewer buffers
    /// than the format has, no complete sample frame, or more than `mostFrames`.
    static func stereo(_ planes: [UnsafeRawBufferPointer], _ format: DeviceSampleFormat) -> [Float]? {
        guard format.channels > 0, planes.count >= format.planes,
            let bytes = planes.prefix(format.planes).map(\.count).min()
        else { return nil }
        let frames = bytes / format.bytesPerFrame
        guard (1...mostFrames).contains(frames) else { return nil }
        let second = format.channels > 1 ? 1 : 0
        return [Float](unsafeUninitializedCapacity: frames * 2) { samples, count in
            for frame in 0..<frames {
                samples[frame * 2] = sample(planes, format, frame: frame, channel: 0)
                samples[frame * 2 + 1] = sample(planes, format, frame: frame, channel: second)
            }
            count = frames * 2
        }
    }

    /// Writes stereo samples in an interleaved format. A mono format gets the mean of both channels; channels after the
    /// first two are silent. `buffer` must have space for `frames`.
    static func write(
        _ samples: [Float], frames: Int, _ format: DeviceSampleFormat, to buffer: UnsafeMutableRawBufferPointer
    ) {
        precondition(format.isInterleaved && frames * format.bytesPerFrame <= buffer.count)
        precondition(frames * 2 <= samples.count)
        for frame in 0..<frames {
            let (left, right) = (samples[frame * 2], samples[frame * 2 + 1])
            for channel in 0..<format.channels {
                let value: Float =
                    switch channel {
                    case _ where format.channels == 1: (left + right) / 2
                    case 0: left
                    case 1: right
                    default: 0
                    }
                let offset = frame * format.bytesPerFrame + channel * format.bytesPerSample
                store(value.isFinite ? value : 0, format, to: buffer, at: offset)
            }
        }
    }

    private static func sample(
        _ planes: [UnsafeRawBufferPointer], _ format: DeviceSampleFormat, frame: Int, channel: Int
    ) -> Float {
        let plane = planes[format.isInterleaved ? 0 : channel]
        let offset =
            frame * format.bytesPerFrame + (format.isInterleaved ? channel * format.bytesPerSample : 0)
        if format.kind == .int16 {
            let bits = plane.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
            return Float(Int16(bitPattern: format.isBigEndian ? bits.byteSwapped : bits)) / 32768
        }
        var bits = plane.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        if format.isBigEndian { bits = bits.byteSwapped }
        if format.kind == .int32 { return Float(Int32(bitPattern: bits)) / 2_147_483_648 }
        let value = Float(bitPattern: bits)
        return value.isFinite ? value : 0
    }

    private static func store(
        _ value: Float, _ format: DeviceSampleFormat, to buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) {
        let clipped = max(-1, min(1, value))
        switch format.kind {
        case .float32:
            let bits = clipped.bitPattern
            buffer.storeBytes(of: format.isBigEndian ? bits.byteSwapped : bits, toByteOffset: offset, as: UInt32.self)
        case .int16:
            let bits = UInt16(bitPattern: Int16(clamping: Int((clipped * 32768).rounded())))
            buffer.storeBytes(of: format.isBigEndian ? bits.byteSwapped : bits, toByteOffset: offset, as: UInt16.self)
        case .int32:
            let bits = UInt32(bitPattern: Int32(clamping: Int64((Double(clipped) * 2_147_483_648).rounded())))
            buffer.storeBytes(of: format.isBigEndian ? bits.byteSwapped : bits, toByteOffset: offset, as: UInt32.self)
        }
    }
}

/// A stream of samples from a device into a given intake: a shim over the system's capture. All calls are made on its
/// runner.
package protocol SampleSource: AnyObject, Sendable {
    /// The device's human-readable name.
    var deviceName: String { get }
    func start() throws(HelioError)
    /// Stops the stream; callbacks that have already started may still deliver samples.
    func stop()
}
