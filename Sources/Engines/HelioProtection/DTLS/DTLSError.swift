/// An error of the caller or of the library; never caused by a peer's input.
package enum DTLSError: Error, Hashable, Sendable {
    /// The association is not established yet, or has ended.
    case notConnected
    /// The data is empty, or larger than ``DTLSRecord/largestData``; the value is its size in bytes.
    case badLength(Int)
    /// The queue of datagrams that were not polled yet is full.
    case queueFull
    /// No expected fingerprint was given, so the peer could not be authenticated.
    case noFingerprint
    /// An MTU outside ``DTLSConfiguration/mtus``.
    case badMTU(Int)
    /// A library function has failed; `operation` is its name.
    case failed(operation: String)
}
