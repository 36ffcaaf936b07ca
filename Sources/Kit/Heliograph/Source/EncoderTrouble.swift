/// A failure of an encoder that the source survived; the raw value is its name in the statistics.
enum EncoderTrouble: String, Sendable, CaseIterable, Hashable {
    /// An encoder failed to code a picture; another took its place.
    case failed = "encoder-failed"
    /// An encoder refused another rate, size or codec.
    case refused = "encoder-refused"
}
