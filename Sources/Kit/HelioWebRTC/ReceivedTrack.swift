/// The identity of a track that the peer sends, one section of the descriptions: for telling two screens apart.
public struct ReceivedTrack: Sendable, Hashable {
    let number: Int
}
