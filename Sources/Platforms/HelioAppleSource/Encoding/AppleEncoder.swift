package import HelioAppleMedia
package import HelioCore

/// The encoder of Apple's systems: `SessionEncoder` with VideoToolbox's compression sessions.
package typealias AppleEncoder = SessionEncoder<AppleCompressionSessions>

extension AppleEncoder {
    /// Starts the VideoToolbox encoder for the user's choice.
    ///
    /// - Parameter now: the clock of the pictures' capture times.
    ///
    /// Throws `invalidArgument` if the name is unknown or the named encoder has another codec, `encoderFailed` if no
    /// session can be started, and `unsupported` for 4:4:4.
    package convenience init(
        _ format: VideoFormat, choice: CodecChoice, now: @escaping () -> Instant
    ) throws(HelioError) {
        let coder = try AppleEncoderCatalog.here().coder(choice, for: format.codec)
        try self.init(format, sessions: AppleCompressionSessions(), coder: coder, now: now)
    }
}
