/// A pending offer of the peer.
struct RemoteOffer: Sendable {
    var description: RemoteDescription
    /// The slots that the answer will establish, one for each section.
    var slots: [Slot]
    /// The reasons for refusing sections, by section index.
    var refusals: [Int: RefusedSection.Reason]
}
