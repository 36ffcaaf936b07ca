/// The reason why an extension's picture was not encoded.
package enum PipelineDrop: String, Sendable, Hashable, CaseIterable {
    /// The picture before it is still being encoded.
    case busy = "pictures-too-fast"
    /// The picture came sooner than the rate allows.
    case overRate = "pictures-over-rate"
    /// All pictures of the scaler's pool are in use.
    case allInUse = "pictures-all-in-use"
    /// The picture could not be scaled or encoded.
    case failed = "pictures-failed"
}
