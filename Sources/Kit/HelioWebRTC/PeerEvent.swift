/// An event of a ``PeerConnection``.
public enum PeerEvent: Sendable {
    /// A new offer is needed, because a channel or track was added, or a track was stopped.
    case negotiationNeeded
    /// A candidate, to be signalled to the peer unchanged; `nil` when there are no more.
    case candidate(String?)
    /// The connection's state has changed. `closed` is the last event.
    case state(PeerState)
    /// The reason why the state becomes `failed`, as human-readable text.
    case failure(String)
    /// A channel is open for messages: one that this end opened, or a new one of the peer's.
    case channelOpened(DataChannel)
    /// A whole message from a channel.
    case message(DataChannel, DataMessage)
    /// A channel is closed: no more messages arrive, and none can be sent.
    case channelClosed(DataChannel)
    /// A picture from the peer; all pictures that it refers to have come before.
    case video(ReceivedPicture)
    /// A packet of sound from the peer.
    case sound(ReceivedSound)
    /// The next picture sent on the track has to be a keyframe.
    case keyframeNeeded(VideoTrack)
    /// The estimated bitrate that the path leaves for all video together, in bits a second: the bitrate of sound is
    /// already subtracted.
    case estimatedBitrate(Int)
    /// A TURN server can't be used; the reason is as human-readable text.
    case relayFailed(String)
    /// One of the ICE servers is left out, because its kind is not supported or its name can't be resolved; as
    /// human-readable text. It comes before all other events.
    case serverUnusable(String)
}
