package import HelioCore
package import HelioSTUN

/// The pair that data goes by.
package struct SelectedPair: Hashable, Sendable {
    /// What to send from.
    package var base: TransportAddress
    /// What to send to.
    package var remote: TransportAddress
    package var localKind: CandidateKind
    package var remoteKind: CandidateKind
}
