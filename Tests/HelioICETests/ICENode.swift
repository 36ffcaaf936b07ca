import HelioCore
import HelioICE
import HelioOpenSSL
import HelioSTUN
import HelioSimulation

/// An agent and its place in a simulated network.
final class ICENode {
    /// The kind of NAT between an agent and the network.
    struct Place: Sendable, Hashable {
        var name: String
        /// The NAT's mapping behavior; `nil` without a NAT.
        var mapping: SimulatedNAT.Dependence?
        var filtering = SimulatedNAT.Dependence.none
        var hasRelay = false

        static let open = Place(name: "open", mapping: nil)
        static let fullCone = Place(name: "full cone", mapping: SimulatedNAT.Dependence.none)
        static let restricted = Place(name: "restricted", mapping: SimulatedNAT.Dependence.none, filtering: .address)
        static let portRestricted = Place(
            name: "port restricted", mapping: SimulatedNAT.Dependence.none, filtering: .addressAndPort)
        static let symmetric = Place(name: "symmetric", mapping: .addressAndPort, filtering: .addressAndPort)

        var withRelay: Place {
            var place = self
            place.hasRelay = true
            place.name += " with relay"
            return place
        }
    }

    var agent: ICEAgent
    let host: TransportAddress
    let relay: TransportAddress?
    var nat: SimulatedNAT?
    var link: SimulatedLink
    /// All events of the agent, in order.
    var events: [(at: Instant, event: ICEAgent.Event)] = []
    var names: [String] = []
    /// Further interfaces, without a NAT.
    var others: [TransportAddress] = []
    /// The TCP address on which the agent listens, and whether it opens connections itself.
    var listens: TransportAddress?
    var mayConnect = false
    /// The destinations of requested connections.
    var connects: [TransportAddress] = []
    /// The signalling messages in transit to this end.
    var inbox: [(at: Instant, input: ICEAgent.Input)] = []
    var signalsCandidates = true
    /// All sent datagrams, for tests that eavesdrop.
    var sent: [(at: Instant, bytes: [UInt8], from: TransportAddress, to: TransportAddress)] = []
    /// All received datagrams, as an eavesdropper sees them.
    var received: [[UInt8]] = []

    /// - Parameter number: 1 or 2.
    init(_ place: Place, number: UInt32, agent: ICEAgent, link: SimulatedLink) {
        self.agent = agent
        self.link = link
        let outside = IPAddress.v4(0xC633_6400 | number)
        host = TransportAddress(place.mapping == nil ? outside : .v4(0x0A00_0000 | number << 8 | 5), port: 5000)
        nat = place.mapping.map { SimulatedNAT(mapping: $0, filtering: place.filtering, outside: outside) }
        relay = place.hasRelay ? TransportAddress(.v4(0xCB00_7100 | number), port: 49000) : nil
    }

    func states() -> [ICEState] { events.compactMap { if case .state(let state) = $0.event { state } else { nil } } }

    func selections() -> [SelectedPair?] {
        events.compactMap { if case .selected(let pair) = $0.event { .some(pair) } else { nil } }
    }

    func candidates() -> [LocalCandidate] {
        events.compactMap { if case .candidate(let candidate) = $0.event { candidate } else { nil } }
    }
}
