/// An engine that sends the encoded stream to its clients: viewers, players, or a third-party server.
///
/// The engine receives each slice of the stream once, as an input, and outputs requests to the encoder as events.
package protocol Audience: Engine where Input: AudienceInput {
    /// True if the engine can send encodings other than `EncodingID.main`; if false, it receives only slices of the
    /// main encoding.
    static var servesSecond: Bool { get }
}

extension Audience {
    package static var servesSecond: Bool { false }
}

/// The inputs through which an ``Audience`` receives the stream.
package protocol AudienceInput {
    /// A slice of a frame. Slices of a frame arrive in order, and so do frames.
    static func slice(_ slice: EncodedSlice) -> Self
    /// A change of the encoding's format, valid from the next slice on.
    static func format(_ format: VideoFormat) -> Self
    /// A change of source, valid from the next slice on. `format` is the desired format; no codec other than
    /// `format.codec` is available.
    ///
    /// - Parameter wantedSize: the desired size, as the size in `format` may be a smaller one that was negotiated.
    static func source(_ format: VideoFormat, wantedSize: PixelSize) -> Self
    /// A packet of sound, of a `SoundEncode` that an audience has requested. The packets of each `SoundEncode` arrive
    /// in order.
    static func sound(_ sound: EncodedSound) -> Self
}
