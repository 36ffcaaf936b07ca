package import HelioCore
package import HelioSTUN

/// The addresses and candidate kinds of the pair selected for data.
package struct SelectedPair: Hashable, Sendable {
    /// The local base, from which data is sent.
    package var base: TransportAddress
    /// The remote address, to which data is sent.
    package var remote: TransportAddress
    package var localKind: CandidateKind
    package var remoteKind: CandidateKind
}
