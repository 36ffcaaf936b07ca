/// The reason why content of a clipboard is not to be had.
package enum ClipboardFailure: String, Error, Sendable, Hashable, CaseIterable {
    /// Something else was copied in the meantime, or whoever copied it is gone.
    case gone
    /// It is larger than one of the two ends takes.
    case tooLarge = "too-large"
    /// One of the two ends does not let the clipboard go this way, or not any longer.
    case notAllowed = "not-allowed"
    /// So much is asked for already that no more is taken on.
    case busy
    /// Whoever copied it does not give it, or something broke on the way.
    case failed
    /// Nothing came in time.
    case timedOut = "timed-out"
    /// What came is not what its format says: no UTF-8, no PNG.
    case invalid
}
