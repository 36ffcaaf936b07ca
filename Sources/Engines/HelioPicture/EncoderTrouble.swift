/// A failure of an encoder that a source survived, by the name that statistics show.
package enum EncoderTrouble: String, Sendable, CaseIterable, Hashable {
    /// An encoder failed to code a picture; another took its place.
    case failed = "encoder-failed"
    /// An encoder refused another rate, size or codec.
    case refused = "encoder-refused"
}
