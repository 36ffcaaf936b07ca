/// An error of the caller's, or of a library that does not work; never caused by a peer's bytes.
package enum DTLSError: Error, Hashable, Sendable {
    /// There is no association to send on: it is not established yet, or has ended.
    case notConnected
    /// Data that is empty, or more than a record holds: this many bytes.
    case badLength(Int)
    /// The data sent before has not been taken by `poll`.
    case queueFull
    /// No expected fingerprint was given, so anybody could be the peer.
    case noFingerprint
    /// An MTU outside ``DTLSConfiguration/mtus``.
    case badMTU(Int)
    /// The library refused; `operation` is the name of its function.
    case failed(operation: String)
}
