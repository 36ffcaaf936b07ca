package import HelioCore

/// Decodes AAC with the system's decoder (ISO/IEC 14496-3): a packet is one raw access unit.
package final class UnitAACDecoder: SoundDecoding {
    package let codec = SoundCodec.aac
    package let format: SoundFormat
    private let decoder: any AccessUnitDecoding

    package init(_ format: SoundFormat, by decoder: any AccessUnitDecoding) {
        self.format = format
        self.decoder = decoder
    }

    package func decode(_ payload: [UInt8]) throws(HelioError) -> [Float] {
        guard (1...8191).contains(payload.count) else { throw Self.failure }
        let samples = try decoder.decode(payload)
        guard !samples.isEmpty, samples.count.isMultiple(of: format.channels) else { throw Self.failure }
        return samples
    }

    package func recover(from next: [UInt8], frames: Int) -> [Float]? { nil }

    package func conceal(frames: Int) -> [Float]? { nil }

    private static var failure: HelioError { HelioError(.decoderFailed, "AAC: these bytes are no packet.") }
}
