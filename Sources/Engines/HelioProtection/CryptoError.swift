/// An error of a primitive: a caller's mistake or a broken library, never caused by a peer's bytes.
package enum CryptoError: Error, Hashable, Sendable {
    /// A key, salt or nonce of this many bytes fits no requested algorithm.
    case badLength(Int)
    /// The library refused; `operation` is the name of its function.
    case failed(operation: String)
}
