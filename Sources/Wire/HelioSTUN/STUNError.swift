/// An error of parsing a STUN message.
package enum STUNError: String, Error, CaseIterable, Hashable, Sendable {
    /// The first two bits or the magic cookie do not match STUN.
    case notSTUN = "not-stun"
    /// The message's length does not match its header, or is not a multiple of 4.
    case badLength = "bad-length"
    /// An attribute reaches past the end.
    case truncatedAttribute = "truncated-attribute"
    /// A comprehension-required attribute is malformed.
    case malformedAttribute = "malformed-attribute"
    /// There are more than ``STUNMessage/maximumAttributes``.
    case tooManyAttributes = "too-many-attributes"
    /// The fingerprint is wrong, or not the last attribute.
    case badFingerprint = "bad-fingerprint"
}
