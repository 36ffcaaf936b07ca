/// The reason why `SessionEncoder` lost a picture, or replaced its session.
package enum EncoderLoss: String, Sendable, Hashable, CaseIterable {
    /// The session left the picture out.
    case dropped = "dropped-by-encoder"
    /// The sample that came for the picture can't be read.
    case broken = "broken-sample"
    /// Nothing came within the time allowed; the session was ended.
    case late = "late-encoder"
    /// The session had become invalid, and another one took its place.
    case rebuilt = "rebuilt-encoder"
}
