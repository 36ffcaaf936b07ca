/// A primitive could not do its work: a caller's mistake or a broken library, never a peer's bytes.
package enum CryptoError: Error, Hashable, Sendable {
    /// A key, salt or nonce of this many bytes fits no algorithm that was asked for.
    case badLength(Int)
    /// The library refused; `operation` is the name of its function.
    case failed(operation: String)
}
