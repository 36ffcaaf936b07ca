internal import AVFAudio
internal import CoreAudioTypes
internal import Foundation
internal import HelioAppleMedia
internal import HelioBitstream
internal import HelioCore

/// Decodes AAC-LC by `AVAudioConverter`. It is only type-checked; no test runs it.
final class ConverterUnitDecoder: AccessUnitDecoding {
    private let format: SoundFormat
    private let converter: AVAudioConverter
    private let input: AVAudioCompressedBuffer
    private let output: AVAudioPCMBuffer

    /// - Parameter configuration: the `AudioSpecificConfig`, with the coded rate and channels; empty for AAC-LC in
    ///   `format`.
    init(_ format: SoundFormat, configuration: [UInt8]) throws(HelioError) {
        self.format = format
        let coded = AudioSpecificConfig(configuration).map {
            SoundFormat(sampleRate: $0.sampleRate, channels: $0.channels)
        }
        let (units, samples) = (try ConverterFormat.units(coded ?? format), try ConverterFormat.samples(format))
        converter = try ConverterFormat.converter(from: units, to: samples)
        input = AVAudioCompressedBuffer(format: units, packetCapacity: 1, maximumPacketSize: 8191)
        output = try ConverterFormat.buffer(samples, frames: 2048 * 48000 / 8000)
    }

    func decode(_ unit: [UInt8]) throws(HelioError) -> [Float] {
        guard unit.count <= Int(input.byteCapacity) else { throw Self.failure }
        input.data.copyMemory(from: unit, byteCount: unit.count)
        input.byteLength = UInt32(unit.count)
        input.packetCount = 1
        input.packetDescriptions?.pointee = AudioStreamPacketDescription(
            mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: UInt32(unit.count))
        let given = ConverterInput(input)
        let status = converter.convert(to: output, error: nil) { _, status in given.next(status) }
        guard status != .error, let planes = output.floatChannelData else { throw Self.failure }
        return (0..<Int(output.frameLength)).flatMap { frame in
            (0..<format.channels).map { planes[$0][frame] }
        }
    }

    private static var failure: HelioError { HelioError(.decoderFailed, "AAC: these bytes are no packet.") }
}
