/// The reason for the end of a bundle.
package enum LinkBundleEnd: String, Hashable, Sendable {
    /// This end has ended it; what it had given to the stream arrived, if a link was up.
    case endedHere = "ended-here"
    /// The peer has ended it.
    case endedByPeer = "ended-by-peer"
    /// No link answered for `LinkBundleSettings.patience`.
    case lost
    /// The stream has failed: the peer violated its protocol, or more was given than there was room for.
    case streamFailed = "stream-failed"
}
