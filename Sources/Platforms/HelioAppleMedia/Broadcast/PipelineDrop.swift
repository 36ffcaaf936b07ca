/// The reasons for which an extension's picture was not coded.
package enum PipelineDrop: String, Sendable, Hashable, CaseIterable {
    /// The picture before it is still being coded.
    case busy = "pictures-too-fast"
    /// It came sooner than the rate allows.
    case overRate = "pictures-over-rate"
    /// All pictures of the scaler's pool are in use.
    case allInUse = "pictures-all-in-use"
    /// It could be neither scaled nor coded.
    case failed = "pictures-failed"
}
