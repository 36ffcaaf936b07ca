package import HelioCore
package import HelioSTUN

/// The candidate pair that data uses.
package struct SelectedPair: Hashable, Sendable {
    /// The base to send from.
    package var base: TransportAddress
    /// The address to send to.
    package var remote: TransportAddress
    package var localKind: CandidateKind
    package var remoteKind: CandidateKind
}
