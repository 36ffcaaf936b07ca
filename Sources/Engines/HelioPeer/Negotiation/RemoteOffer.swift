/// An offer of the peer's that waits for its answer.
struct RemoteOffer: Sendable {
    var description: RemoteDescription
    /// One for each section: what it becomes if it is taken up.
    var slots: [Slot]
    /// Sections that can't be taken up, by index.
    var refusals: [Int: RefusedSection.Reason]
}
