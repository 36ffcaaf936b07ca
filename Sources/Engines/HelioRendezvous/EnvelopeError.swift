package import HelioProtection

/// The reason why an envelope can't be sealed or opened. Each of them ends the call.
package enum EnvelopeError: Error, Hashable, Sendable {
    /// The envelope is shorter than its fixed fields.
    case truncated
    /// The tag is wrong: another secret, device, role or nonce was used, or the envelope was changed.
    case notAuthentic
    /// The counter does not follow the previous one: an envelope is missing, or was repeated.
    case outOfOrder
    /// The message does not fit a frame when it is sealed.
    case tooLong
    /// The host has nothing to answer yet: the ringer's first envelope has not been opened.
    case tooEarly
    /// An error before has ended the call.
    case ended
    /// A primitive failed.
    case crypto(CryptoError)
}
