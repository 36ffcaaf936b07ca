/// A caller's mistake, or a library that does not work: never a peer's bytes.
package enum DTLSError: Error, Hashable, Sendable {
    /// There is no association to send on: not yet, or no more.
    case notConnected
    /// Nothing, or more than a record holds: this many bytes.
    case badLength(Int)
    /// What was sent before was not taken by `poll`.
    case queueFull
    /// Without an expected fingerprint anybody could be the peer.
    case noFingerprint
    /// Outside ``DTLSConfiguration/mtus``.
    case badMTU(Int)
    /// The library refused; `operation` is the name of its function.
    case failed(operation: String)
}
