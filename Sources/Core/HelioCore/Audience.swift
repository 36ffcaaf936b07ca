/// An engine that sends the one encoded stream on to whoever it serves: viewers, players, another program's server.
///
/// The stream arrives as inputs, each slice once; what it needs of the encoder it reports as events.
package protocol Audience: Engine where Input: AudienceInput {
    /// True where those whom it serves may be sent another encode than the main one; slices of others are not given to
    /// it where it is false.
    static var servesSecond: Bool { get }
}

extension Audience {
    package static var servesSecond: Bool { false }
}

/// The inputs by which an ``Audience`` hears of the stream.
package protocol AudienceInput {
    /// A slice of a frame. Slices of a frame come in order, and frames too.
    static func slice(_ slice: EncodedSlice) -> Self
    /// The format that is coded from the next slice on.
    static func format(_ format: VideoFormat) -> Self
    /// Another source from the next slice on: its format is the wished-for one, and its codec is the only one.
    ///
    /// - Parameter wantedSize: what is wished for, where the format's size is what was agreed on.
    static func source(_ format: VideoFormat, wantedSize: PixelSize) -> Self
    /// A packet of sound, of an encode that some audience wants. Those of an encode come in order.
    static func sound(_ sound: EncodedSound) -> Self
}
