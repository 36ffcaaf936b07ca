/// The reason for which a transfer is refused, or ended by the one who sends. The raw value is the one on the wire.
package enum TransferRefusal: UInt8, Hashable, Sendable, CaseIterable {
    /// What was requested is not to be had any longer.
    case gone = 1
    /// It is larger than one of the two ends takes.
    case tooLarge = 2
    /// Nothing goes this way, or not any longer.
    case notAllowed = 3
    /// So many transfers are under way that no more is taken on: it may be requested again.
    case busy = 4
    /// It could not be read, is not what it should be, or made no progress.
    case failed = 5
}
