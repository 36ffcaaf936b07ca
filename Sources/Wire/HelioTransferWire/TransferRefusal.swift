/// The reason why the sender refuses or ends a transfer. The raw value is used on the wire.
package enum TransferRefusal: UInt8, Hashable, Sendable, CaseIterable {
    /// The requested content is no longer available.
    case gone = 1
    /// The content exceeds the limit of one of the two ends.
    case tooLarge = 2
    /// Transfers in this direction are not allowed, or have been disallowed meanwhile.
    case notAllowed = 3
    /// Too many transfers are in progress; the content may be requested again.
    case busy = 4
    /// The content could not be read or does not match its format, or the transfer made no progress.
    case failed = 5
}
