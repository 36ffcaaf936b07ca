/// The directions in which media may flow in a track's section of the descriptions.
public enum TrackDirection: Sendable, Hashable, CaseIterable {
    case sendAndReceive
    case sendOnly
    case receiveOnly
    /// No media are exchanged until another description changes the direction.
    case inactive
}
