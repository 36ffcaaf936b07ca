/// What happens on a ``PeerConnection``.
public enum PeerEvent: Sendable {
    /// An offer would tell the peer something new: a channel, a track, an end of one.
    case negotiationNeeded
    /// To be signalled to the peer as it is; `nil` when there will be no more.
    case candidate(String?)
    /// The connection has come to another state. `closed` is the last event.
    case state(PeerState)
    /// Why the state becomes `failed`; in words for a person.
    case failure(String)
    /// A channel can be written to: one of this end's, or a new one of the peer's.
    case channelOpened(DataChannel)
    /// A message, whole.
    case message(DataChannel, DataMessage)
    /// No more messages come, and none go.
    case channelClosed(DataChannel)
    /// A picture of the peer's; all that it refers to has come before.
    case video(ReceivedPicture)
    /// A packet of the peer's sound.
    case sound(ReceivedSound)
    /// The next picture on the track has to be a keyframe.
    case keyframeNeeded(VideoTrack)
    /// What the path is thought to carry, in bits a second.
    case estimatedBitrate(Int)
    /// A TURN server is of no use; in words for a person.
    case relayFailed(String)
    /// A server among the ICE servers is left out, as it is of a kind that is not known here or its name can't be
    /// resolved; in words for a person. Comes before all else.
    case serverUnusable(String)
}
