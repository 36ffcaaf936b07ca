/// A pending offer of the peer's.
struct RemoteOffer: Sendable {
    var description: RemoteDescription
    /// The slots that the offer leads to, one for each section.
    var slots: [Slot]
    /// The reasons why sections can't be accepted, by index.
    var refusals: [Int: RefusedSection.Reason]
}
