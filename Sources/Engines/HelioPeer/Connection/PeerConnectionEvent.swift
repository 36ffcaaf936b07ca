package import HelioSCTP
package import HelioTURN

/// An event that a ``PeerConnection`` reports to its owner.
package enum PeerConnectionEvent: Sendable {
    /// A change needs a new offer.
    case negotiationNeeded
    /// A local candidate to signal to the peer verbatim: `candidate:...`; `nil` when there will be no more.
    case candidate(String?)
    case state(PeerConnectionState)
    /// The reason for the state `failed`, which follows.
    case failed(PeerConnectionFailure)
    /// An offer and its answer have taken effect, whoever offered.
    case negotiated(Agreement)

    /// A data channel that this end or the peer has opened can carry messages from now on.
    case channelOpened(PeerChannelID, DataChannelDescription, isByPeer: Bool)
    case message(PeerChannelID, DataChannelMessage)
    /// The channel's buffered amount has fallen to its threshold, or a refused message would be accepted now.
    case bufferedAmountLow(PeerChannelID)
    case channelClosed(PeerChannelID)

    case media(MediaTransport.Event)
    /// A TURN server could not be used, or has stopped working.
    case relayFailed(TURNServer.ID, TURNFailure)
}
