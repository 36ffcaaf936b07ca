/// A failure of an encoder that did not end the stream. Raw values are the names in statistics.
package enum EncoderTrouble: String, Sendable, CaseIterable, Hashable {
    /// An encoder failed to code a picture, and another encoder replaced it.
    case failed = "encoder-failed"
    /// An encoder refused another rate, size or codec.
    case refused = "encoder-refused"
}
