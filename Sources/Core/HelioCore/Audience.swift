/// An engine that sends the one encoded stream on to whoever it serves: viewers, players, another program's server.
///
/// The stream comes by its inputs, each slice once; what it wants of the encoder it tells by its events.
package protocol Audience: Engine where Input: AudienceInput {}

/// The inputs by which an ``Audience`` hears of the stream.
package protocol AudienceInput {
    /// Slices of a frame come in order, and frames too.
    static func slice(_ slice: EncodedSlice) -> Self
    /// What is coded from the next slice on.
    static func format(_ format: VideoFormat) -> Self
    /// The source itself is another from the next slice on: that is wished for, and its codec is the only one.
    ///
    /// - Parameter wantedSize: what is wished for, where the format's size is what was agreed on.
    static func source(_ format: VideoFormat, wantedSize: PixelSize) -> Self
}
