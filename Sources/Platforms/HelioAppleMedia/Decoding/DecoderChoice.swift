package import HelioCore

/// The decoders that a viewer may choose on Apple's systems: VideoToolbox with or without hardware.
package enum DecoderChoice {
    /// The decoder's name for the user's choice: VideoToolbox then selects hardware or software itself.
    package static let name = "videotoolbox"

    /// Checks a choice. Throws `invalidArgument` if it names a decoder other than `name`.
    package static func check(_ choice: CodecChoice) throws(HelioError) {
        guard case .named(let other) = choice, other != name else { return }
        throw HelioError(.invalidArgument, "There is no decoder '\(other)' here: there is \(name).")
    }

    /// False: VideoToolbox decodes no H.264 of the profile High 4:4:4 Predictive, so a host must not send one.
    package static let takesFullChroma = false

    package static func allowsHardware(_ choice: CodecChoice) -> Bool { choice != .software }

    /// Returns the codecs that hardware decodes under a choice.
    ///
    /// - Parameter those: the codecs that the hardware supports.
    package static func hardwareCodecs(of choice: CodecChoice, among those: Set<VideoCodec>) -> Set<VideoCodec> {
        allowsHardware(choice) ? those : []
    }
}
