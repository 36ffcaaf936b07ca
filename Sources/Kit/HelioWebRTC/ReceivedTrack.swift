/// The identity of a track that the peer sends, which is one section of the descriptions. It tells two screens apart.
public struct ReceivedTrack: Sendable, Hashable {
    let number: Int
}
