package import HelioSCTP
package import HelioTURN

/// An event that a ``PeerConnection`` reports to its owner.
package enum PeerConnectionEvent: Sendable {
    /// An offer would tell the peer something new.
    case negotiationNeeded
    /// A candidate to be signalled as it is: `candidate:...`; `nil` when there will be no more.
    case candidate(String?)
    case state(PeerConnectionState)
    /// The reason for the state `failed`, which follows.
    case failed(PeerConnectionFailure)
    /// An offer of the peer's, or the answer to one of ours, now holds.
    case negotiated(Agreement)

    /// Messages can be sent: on a channel of this end's, or on a new one of the peer's.
    case channelOpened(PeerChannelID, DataChannelDescription, isByPeer: Bool)
    case message(PeerChannelID, DataChannelMessage)
    /// The bytes that wait on the channel have come down to its threshold, or a refused message would be taken now.
    case bufferedAmountLow(PeerChannelID)
    case channelClosed(PeerChannelID)

    case media(MediaTransport.Event)
    /// One TURN server is of no use, or no more.
    case relayFailed(TURNServer.ID, TURNFailure)
}
