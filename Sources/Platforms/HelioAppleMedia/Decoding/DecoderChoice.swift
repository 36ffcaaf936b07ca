package import HelioCore

/// The decoders that a viewer may choose among on Apple's systems: VideoToolbox's, by hardware or not.
package enum DecoderChoice {
    /// The name of VideoToolbox's own choice.
    package static let name = "videotoolbox"

    /// Checks a choice. Throws `invalidArgument` for another name.
    package static func check(_ choice: CodecChoice) throws(HelioError) {
        guard case .named(let other) = choice, other != name else { return }
        throw HelioError(.invalidArgument, "There is no decoder '\(other)' here: there is \(name).")
    }

    package static func allowsHardware(_ choice: CodecChoice) -> Bool { choice != .software }

    /// The codecs that hardware decodes under a choice, of those that the hardware supports.
    package static func hardwareCodecs(of choice: CodecChoice, among those: Set<VideoCodec>) -> Set<VideoCodec> {
        allowsHardware(choice) ? those : []
    }
}
