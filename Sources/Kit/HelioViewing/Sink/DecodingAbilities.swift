private import HelioBitstream
private import HelioCore

/// The video codecs that this machine decodes, for a diagnosis: each was tried.
public struct DecodingAbilities: Sendable, Hashable {
    /// The names of the codecs that software decodes.
    public let software: [String]
    /// The names of the codecs that the hardware has decoded in a test picture, and for which it is chosen by
    /// default.
    public let hardware: [String]

    /// Tries the decoders; a test of hardware that fails may take seconds.
    public static func examine() -> DecodingAbilities {
        let software = VideoCodec.allCases.filter { codec in
            let decoder = try? systemSink.makeDecoder(
                codec, choice: .software, mayReorder: false, mostSamples: PictureLimit.standard)
            return decoder != nil
        }
        let hardware = systemSink.hardwareCodecs(of: .automatic)
        return DecodingAbilities(
            software: software.map(\.rawValue), hardware: VideoCodec.allCases.filter(hardware.contains).map(\.rawValue))
    }
}
