import HelioCore
import HelioICE
import HelioOpenSSL
import HelioSTUN
import HelioSimulation

/// An agent at its place in a simulated network.
final class ICENode {
    /// What stands between it and the network.
    struct Place: Sendable, Hashable {
        var name: String
        /// `nil`: nothing does.
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
    /// Everything it said, in order.
    var events: [(at: Instant, event: ICEAgent.Event)] = []
    var names: [String] = []
    /// Further interfaces, with nothing in between.
    var others: [TransportAddress] = []
    /// A port of TCP that takes connections, and whether it makes some itself.
    var listens: TransportAddress?
    var mayConnect = false
    /// Where connections were wanted to.
    var connects: [TransportAddress] = []
    /// Signalling to this end.
    var inbox: [(at: Instant, input: ICEAgent.Input)] = []
    var signalsCandidates = true
    /// Datagrams that it sent, for those who listen on the way.
    var sent: [(at: Instant, bytes: [UInt8], from: TransportAddress, to: TransportAddress)] = []
    /// What has arrived, as somebody on the way sees it too.
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
