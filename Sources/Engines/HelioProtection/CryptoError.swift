/// An error of a cryptographic primitive: a caller's mistake or a library failure, never caused by a peer's input.
package enum CryptoError: Error, Hashable, Sendable {
    /// The algorithm has no key, salt or nonce with this number of bytes.
    case badLength(Int)
    /// A library function has failed; `operation` is its name.
    case failed(operation: String)
}
