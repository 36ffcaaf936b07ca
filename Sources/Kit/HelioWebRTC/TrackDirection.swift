/// The ways in which media go by a track's section of the descriptions.
public enum TrackDirection: Sendable, Hashable, CaseIterable {
    case sendAndReceive
    case sendOnly
    case receiveOnly
    /// Nothing goes, until another description says otherwise.
    case inactive
}
