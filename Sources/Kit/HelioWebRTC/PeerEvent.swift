/// An event of a ``PeerConnection`` for its app, delivered by ``PeerEvents``.
public enum PeerEvent: Sendable {
    /// A new offer is needed, because a channel or track was added, or a track was stopped.
    case negotiationNeeded
    /// A candidate, to be signalled to the peer unchanged; `nil` after the last candidate.
    case candidate(String?)
    /// The connection's state has changed. `closed` is the last event.
    case state(PeerState)
    /// The human-readable reason why the state becomes `failed`.
    case failure(String)
    /// A channel that either end has opened is ready for messages.
    case channelOpened(DataChannel)
    /// A whole message from a channel.
    case message(DataChannel, DataMessage)
    /// A channel is closed: no more messages arrive, and none can be sent.
    case channelClosed(DataChannel)
    /// A picture from the peer; all of its reference pictures have been delivered before.
    case video(ReceivedPicture)
    /// A packet of sound from the peer.
    case sound(ReceivedSound)
    /// The next picture sent on the track has to be a keyframe.
    case keyframeNeeded(VideoTrack)
    /// The estimated bitrate available to all video tracks together, in bits a second. The bitrate of sound is already
    /// subtracted.
    case estimatedBitrate(Int)
    /// A TURN server can't be used, for this human-readable reason.
    case relayFailed(String)
    /// An ICE server is not used, because its kind is not supported or its name can't be resolved; with the
    /// human-readable reason. This event precedes all others.
    case serverUnusable(String)
}
