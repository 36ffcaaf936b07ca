import HelioCore
import HelioICE
import HelioTURN

// Relays on TURN servers (RFC 8656): each relayed address is a local candidate, and its datagrams pass through a
// `TURNClient`.

extension PeerEngine {
    /// Requests a relayed address from every TURN server without a client. Called when the ICE agent is made and at
    /// each ICE restart.
    func openRelays() {
        for server in configuration.turnServers where relays[server.id] == nil {
            relays[server.id] = Relay(server, TURNClient(server, crypto: crypto, random: split(&random)))
            outputs.append(.server(server.id, open(server.address, of: server)))
        }
    }

    private func open(_ address: TransportAddress, of server: TURNServer) -> RelayCommand {
        .open(address, isTCP: server.isTCP, tlsName: server.tlsName)
    }

    /// The IDs of the relays in a fixed order, so that polling is deterministic.
    var relayIDs: [TURNServer.ID] { relays.keys.sorted { $0.rawValue < $1.rawValue } }

    func handle(_ event: RelayEvent, of id: TURNServer.ID) {
        guard let relay = relays[id] else { return drops.count(.unknownRelay) }
        switch event {
        case .connected: relay.client.handle(.connected, now: now)
        case .received(let bytes): relay.client.handle(.received(bytes), now: now)
        case .disconnected: relay.client.handle(.disconnected, now: now)
        case .untrusted: relay.client.handle(.untrusted, now: now)
        }
    }

    /// The relay whose relayed address is `base`.
    func relay(at base: TransportAddress) -> Relay? {
        relays.isEmpty ? nil : relays.values.first { $0.address == base }
    }

    /// Processes the pending outputs of all TURN clients. Returns false if there were no outputs.
    func flowRelays() -> Bool {
        guard !relays.isEmpty else { return false }
        var isMoved = false
        for id in relayIDs {
            guard let relay = relays[id] else { continue }
            while let output = relay.client.poll() {
                isMoved = true
                switch output {
                case .send(let bytes): outputs.append(.server(id, .send(bytes)))
                case .event(let event): handle(event, relay)
                }
            }
        }
        return isMoved
    }

    private func handle(_ event: TURNClient.Event, _ relay: Relay) {
        switch event {
        case .allocated(let address, let mapped):
            relay.address = address
            relay.isSettled = true
            lostRelays.remove(address)
            let related = configuration.usesRelaysOnly ? Self.undisclosed(address.family) : mapped
            ice?.handle(
                .localCandidate(.relayed(address, mapped: related, server: relay.server.address.ip)), now: now)
            endCandidates()
        case .data(let bytes, let peer):
            if let address = relay.address { handle(bytes, from: peer, onLocal: address) }
        case .redirected(let address):
            outputs.append(.server(relay.server.id, open(address, of: relay.server)))
        case .failed(let failure):
            emit(.relayFailed(relay.server.id, failure))
            end(relay)
        case .closed: end(relay)
        }
    }

    /// A placeholder for the related address of a candidate, to hide the mapped address from the peer (RFC 8839 section
    /// 5.1).
    private static func undisclosed(_ family: AddressFamily) -> TransportAddress {
        TransportAddress(family == .ipv4 ? .v4(0) : .v6(high: 0, low: 0), port: 9)
    }

    private func end(_ relay: Relay) {
        outputs.append(.server(relay.server.id, .close))
        relays[relay.server.id] = nil
        if let address = relay.address {
            lostRelays.insert(address)
            ice?.handle(.relayLost(address), now: now)
        }
        endCandidates()
    }

    /// Signals the end of local candidates to the ICE agent, once the driver has no more candidates and no allocation
    /// of a relay is pending.
    func endCandidates() {
        guard earlyCandidatesEnded, relays.values.allSatisfy(\.isSettled) else { return }
        ice?.handle(.localCandidatesEnded, now: now)
    }

    /// Deallocates all relayed addresses, on the TURN servers too if they can be reached.
    func closeRelays() {
        for id in relayIDs { relays[id]?.client.handle(.close, now: now) }
        _ = flowRelays()
        for id in relayIDs { outputs.append(.server(id, .close)) }
        relays = [:]
    }
}
