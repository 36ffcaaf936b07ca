/// What the peer sends by one section: for telling two screens apart.
public struct ReceivedTrack: Sendable, Hashable {
    let number: Int
}
