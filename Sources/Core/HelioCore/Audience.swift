/// An engine that forwards the one encoded stream to its clients: viewers, players, or another program's server.
///
/// The stream arrives as inputs, each slice once; requests to the encoder leave as events.
package protocol Audience: Engine where Input: AudienceInput {
    /// True if the engine's clients may be sent an encode other than the main one; the engine gets slices of other
    /// encodes only if it is true.
    static var servesSecond: Bool { get }
}

extension Audience {
    package static var servesSecond: Bool { false }
}

/// The inputs through which an ``Audience`` receives the stream.
package protocol AudienceInput {
    /// A slice of a frame. Slices of a frame arrive in order, and so do frames.
    static func slice(_ slice: EncodedSlice) -> Self
    /// The format of the encode from the next slice on.
    static func format(_ format: VideoFormat) -> Self
    /// A change of source from the next slice on: its format is the desired one, and its codec is the only one
    /// available.
    ///
    /// - Parameter wantedSize: the desired size, where the format's size is the negotiated one.
    static func source(_ format: VideoFormat, wantedSize: PixelSize) -> Self
    /// A packet of sound, from an encode that some audience requested. The packets of an encode arrive in order.
    static func sound(_ sound: EncodedSound) -> Self
}
