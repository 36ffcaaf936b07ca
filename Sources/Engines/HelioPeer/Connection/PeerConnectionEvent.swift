package import HelioSCTP
package import HelioTURN

/// An event that a ``PeerConnection`` reports to its owner.
package enum PeerConnectionEvent: Sendable {
    /// A change requires a new offer.
    case negotiationNeeded
    /// A local candidate for signalling (`candidate:...`); `nil` once all have been reported.
    case candidate(String?)
    case state(PeerConnectionState)
    /// The kind of the path for outgoing datagrams has changed; `nil` if there is no path.
    case path(PeerPathKind?)
    /// The reason for the state `failed`, which follows.
    case failed(PeerConnectionFailure)
    /// The offer/answer exchange has completed, whichever end offered.
    case negotiated(Agreement)

    /// A data channel is open, so that messages can be sent and received.
    case channelOpened(PeerChannelID, DataChannelDescription, isByPeer: Bool)
    case message(PeerChannelID, DataChannelMessage)
    /// The channel's buffered amount has fallen to its threshold, or there is space again for a message that was
    /// refused with `bufferFull`.
    case bufferedAmountLow(PeerChannelID)
    case channelClosed(PeerChannelID)

    /// A datagram that the peer has sent beside DTLS, as it is, see `PeerEngine.send(plain:now:)`. It comes from an
    /// address of the peer, and is not authenticated otherwise.
    case plain([UInt8])
    case media(MediaTransport.Event)
    /// A TURN server could not be used, or has stopped working.
    case relayFailed(TURNServer.ID, TURNFailure)
}
