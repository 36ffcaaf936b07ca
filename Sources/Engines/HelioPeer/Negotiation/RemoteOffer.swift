/// A pending offer of the peer's.
struct RemoteOffer: Sendable {
    var description: RemoteDescription
    /// The slots, one for each section, as they are once the section is accepted or refused.
    var slots: [Slot]
    /// The reasons why sections can't be accepted, by index.
    var refusals: [Int: RefusedSection.Reason]
}
