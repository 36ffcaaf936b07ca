/// The reason why an extension's picture was not encoded.
package enum PipelineDrop: String, Sendable, Hashable, CaseIterable {
    /// The previous picture was still being encoded.
    case busy = "pictures-too-fast"
    /// The picture arrived sooner than the frame rate allows.
    case overRate = "pictures-over-rate"
    /// All pictures of the scaler's pool were in use.
    case allInUse = "pictures-all-in-use"
    /// The picture could not be scaled or encoded.
    case failed = "pictures-failed"
}
