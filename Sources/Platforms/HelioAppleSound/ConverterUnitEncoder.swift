internal import AVFAudio
internal import HelioAppleMedia
internal import HelioCore

/// Encodes AAC-LC by `AVAudioConverter`. It is only type-checked; no test runs it.
final class ConverterUnitEncoder: AccessUnitCoding {
    /// The encoder's delay: the first access unit starts 2112 sample frames before the first input (Apple's Technical
    /// Note TN2258).
    let delayFrames = 2112
    private let format: SoundFormat
    private let converter: AVAudioConverter
    private let input: AVAudioPCMBuffer
    private let output: AVAudioCompressedBuffer

    init(_ format: SoundFormat) throws(HelioError) {
        self.format = format
        let (samples, units) = (try ConverterFormat.samples(format), try ConverterFormat.units(format))
        converter = try ConverterFormat.converter(from: samples, to: units)
        input = try ConverterFormat.buffer(samples, frames: 1024)
        output = AVAudioCompressedBuffer(
            format: units, packetCapacity: 1, maximumPacketSize: converter.maximumOutputPacketSize)
    }

    func set(bitrate: Int) { converter.bitRate = bitrate }

    func encode(_ samples: [Float]) throws(HelioError) -> [UInt8]? {
        input.frameLength = 1024
        for channel in 0..<format.channels {
            guard let plane = input.floatChannelData?[channel] else { break }
            for frame in 0..<1024 { plane[frame] = samples[frame * format.channels + channel] }
        }
        let given = ConverterInput(input)
        output.packetCount = 0
        output.byteLength = 0
        let status = converter.convert(to: output, error: nil) { _, status in given.next(status) }
        guard status != .error else { throw HelioError(.encoderFailed, "The system failed to code a packet of AAC.") }
        guard output.packetCount > 0 else { return nil }
        return [UInt8](UnsafeRawBufferPointer(start: output.data, count: Int(output.byteLength)))
    }
}
