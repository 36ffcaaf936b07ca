package import HelioAppleMedia
package import HelioCore

/// The encoder of Apple's systems: sessions of VideoToolbox, with the policy of `SessionEncoder`.
package typealias AppleEncoder = SessionEncoder<AppleCompressionSessions>

extension AppleEncoder {
    /// Starts the VideoToolbox encoder that a choice names.
    ///
    /// - Parameter now: the clock of the pictures' capture instants.
    ///
    /// Throws `invalidArgument` if the named encoder codes another codec, and `encoderFailed` or `unsupported`.
    package convenience init(
        _ format: VideoFormat, choice: CodecChoice, now: @escaping () -> Instant
    ) throws(HelioError) {
        let coder = try AppleEncoderCatalog.here().coder(choice, for: format.codec)
        try self.init(format, sessions: AppleCompressionSessions(), coder: coder, now: now)
    }
}
