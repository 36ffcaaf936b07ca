/// What a STUN message is: a question, an answer, or neither (RFC 8489 section 5).
package enum STUNClass: UInt16, Hashable, Sendable, CaseIterable {
    case request = 0
    /// Is not answered.
    case indication = 1
    case success = 2
    case error = 3
}
