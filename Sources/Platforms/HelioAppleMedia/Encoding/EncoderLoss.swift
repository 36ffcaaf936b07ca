/// The reasons for which `SessionEncoder` gives nothing for a picture, or does anew what it had.
package enum EncoderLoss: String, Sendable, Hashable, CaseIterable {
    /// The session left the picture out.
    case dropped = "dropped-by-encoder"
    /// The sample that came for the picture can't be read.
    case broken = "broken-sample"
    /// Nothing came within the time allowed; the session was ended.
    case late = "late-encoder"
    /// The session was of no use any more, and another one took its place.
    case rebuilt = "rebuilt-encoder"
}
