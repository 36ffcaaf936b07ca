/// The class of a STUN message: a request, an indication, or one of two kinds of response (RFC 8489 section 5).
package enum STUNClass: UInt16, Hashable, Sendable, CaseIterable {
    case request = 0
    /// An indication, which is not answered.
    case indication = 1
    case success = 2
    case error = 3
}
