/// An event of a ``PeerConnection``.
public enum PeerEvent: Sendable {
    /// A new offer is needed: it would tell the peer of a channel, of a track, or of the end of one.
    case negotiationNeeded
    /// A candidate, to be signalled to the peer as it is; `nil` when there will be no more.
    case candidate(String?)
    /// The connection has another state. `closed` is the last event.
    case state(PeerState)
    /// The reason why the state becomes `failed`, in words for a person.
    case failure(String)
    /// A channel can be written to: one that this end opened, or a new one of the peer's.
    case channelOpened(DataChannel)
    /// A whole message of a channel.
    case message(DataChannel, DataMessage)
    /// A channel is closed: no more messages come, and none go.
    case channelClosed(DataChannel)
    /// A picture of the peer's; all pictures that it refers to have come before.
    case video(ReceivedPicture)
    /// A packet of the peer's sound.
    case sound(ReceivedSound)
    /// The next picture on the track has to be a keyframe.
    case keyframeNeeded(VideoTrack)
    /// The bitrate of all video together that the path is estimated to carry, in bits a second: what is sent of audio is
    /// taken off.
    case estimatedBitrate(Int)
    /// A TURN server can't be used; the reason is in words for a person.
    case relayFailed(String)
    /// One of the ICE servers is left out, as its kind is not supported or its name can't be resolved; in words for a
    /// person. Comes before all else.
    case serverUnusable(String)
}
