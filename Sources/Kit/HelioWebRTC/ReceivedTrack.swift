/// The identity of a track that the peer sends, one for each media section of the descriptions. Two screens of one
/// peer, for example, are two tracks.
public struct ReceivedTrack: Sendable, Hashable {
    let number: Int
}
