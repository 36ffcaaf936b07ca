/// An error of the caller's, or of a library that does not work: never a peer's bytes.
package enum DTLSError: Error, Hashable, Sendable {
    /// There is no association to send on: not yet, or no more.
    case notConnected
    /// Data that is empty, or more than a record holds: this many bytes.
    case badLength(Int)
    /// The data sent before was not taken by `poll`.
    case queueFull
    /// No expected fingerprint was given, so anybody could be the peer.
    case noFingerprint
    /// An MTU outside ``DTLSConfiguration/mtus``.
    case badMTU(Int)
    /// The library refused; `operation` is the name of its function.
    case failed(operation: String)
}
