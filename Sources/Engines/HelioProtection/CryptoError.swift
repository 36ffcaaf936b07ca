/// An error of a primitive: a caller's mistake or a broken library, never caused by a peer's bytes.
package enum CryptoError: Error, Hashable, Sendable {
    /// No algorithm of the requested kind has a key, salt or nonce of this many bytes.
    case badLength(Int)
    /// The library refused; `operation` is the name of its function.
    case failed(operation: String)
}
