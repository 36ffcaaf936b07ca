/// An error of parsing a STUN message.
package enum STUNError: String, Error, CaseIterable, Hashable, Sendable {
    /// Its first two bits or its magic cookie are not STUN's.
    case notSTUN = "not-stun"
    /// The message is not as long as its header says, or not a multiple of 4.
    case badLength = "bad-length"
    /// An attribute reaches past the end.
    case truncatedAttribute = "truncated-attribute"
    /// An attribute that must be understood breaks its own form.
    case malformedAttribute = "malformed-attribute"
    /// There are more than ``STUNMessage/maximumAttributes``.
    case tooManyAttributes = "too-many-attributes"
    /// The fingerprint is wrong, or not at the end.
    case badFingerprint = "bad-fingerprint"
}
