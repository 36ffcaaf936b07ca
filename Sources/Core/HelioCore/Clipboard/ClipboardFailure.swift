/// The reason why a clipboard's content is not available.
package enum ClipboardFailure: String, Error, Sendable, Hashable, CaseIterable {
    /// Other content was copied in the meantime, or the owner of the content is gone.
    case gone
    /// The content exceeds the limit of one of the two ends.
    case tooLarge = "too-large"
    /// One of the two ends does not, or no longer, allow the clipboard in this direction.
    case notAllowed = "not-allowed"
    /// Too many requests are in progress.
    case busy
    /// The owner did not supply the content, or the transfer failed.
    case failed
    /// The content did not arrive in time.
    case timedOut = "timed-out"
    /// The content does not match its format: invalid UTF-8, or not a PNG.
    case invalid
}
