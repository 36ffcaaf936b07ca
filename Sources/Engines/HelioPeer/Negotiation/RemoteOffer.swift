/// A pending offer of the peer's.
struct RemoteOffer: Sendable {
    var description: RemoteDescription
    /// The slots, one for each section: what it becomes if it is taken up.
    var slots: [Slot]
    /// The reasons of the sections that can't be taken up, by index.
    var refusals: [Int: RefusedSection.Reason]
}
