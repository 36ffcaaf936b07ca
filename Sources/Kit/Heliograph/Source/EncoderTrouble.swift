/// What went wrong with encoders while a source went on, by the name that statistics show.
enum EncoderTrouble: String, Sendable, CaseIterable, Hashable {
    /// It failed to code a picture; another took its place.
    case failed = "encoder-failed"
    /// It would not take another rate, size or codec.
    case refused = "encoder-refused"
}
