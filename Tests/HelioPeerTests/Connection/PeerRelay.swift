import HelioCore
import HelioOpenSSL
import HelioPeer
import HelioProtection
import HelioSimulation
import HelioTURN

/// A TURN server of one end, with the links to and from its client and to its peers.
final class PeerRelay {
    enum Way {
        case udp
        case tcp
    }

    let server: TURNServer
    let model: SimulatedTURNServer
    /// The relayed address at which peers reach the client.
    let relayed: TransportAddress
    var toServer: SimulatedLink
    var toClient: SimulatedLink
    var toPeers: SimulatedLink
    private(set) var isOpen = false
    private(set) var timesOpened = 0
    /// True if the server answers nothing and refuses connections.
    var isDead = false

    /// - Parameter number: 1 or 2.
    init(_ way: Way, number: UInt32, delay: Duration, loss: Double) {
        let isTCP = way == .tcp
        server = TURNServer(
            id: TURNServer.ID(rawValue: Int(number)),
            address: TransportAddress(.v4(0xC000_0200 | number << 4), port: 3478), isTCP: isTCP,
            username: SimulatedTURNServer.username, password: SecretBytes(Array("correct horse".utf8)))
        relayed = TransportAddress(.v4(0xCB00_7100 | number), port: 49_500)
        model = SimulatedTURNServer(crypto: OpenSSLCrypto())
        model.isTCP = isTCP
        model.relayed = relayed
        let lossy = LinkConditions(loss: loss > 0 ? .random(loss) : .none, delay: delay)
        let toHere = isTCP ? LinkConditions(delay: delay) : lossy
        toServer = SimulatedLink(toHere, seed: UInt64(number) + 10)
        toClient = SimulatedLink(toHere, seed: UInt64(number) + 20)
        toPeers = SimulatedLink(lossy, seed: UInt64(number) + 30)
    }

    /// Executes a command; returns its event, if any.
    func take(_ command: RelayCommand, now: Instant) -> RelayEvent? {
        switch command {
        case .open:
            timesOpened += 1
            isOpen = !(isDead && server.isTCP)
            return isOpen ? .connected : .disconnected
        case .send(let bytes):
            if isOpen { toServer.send(bytes, now: now) }
        case .close: isOpen = false
        }
        return nil
    }

    /// Receives a datagram from a peer, or from another TURN server on behalf of one.
    func hear(_ bytes: [UInt8], from peer: TransportAddress, now: Instant) {
        guard !isDead else { return }
        model.peerSends(bytes, from: peer, now: now)
        sendOn(now)
    }

    /// Processes everything that has arrived from the client.
    func serve(now: Instant) {
        while let bytes = toServer.deliver(now: now) {
            if !isDead { model.receive(bytes, now: now) }
        }
        sendOn(now)
    }

    private func sendOn(_ now: Instant) {
        for (bytes, peer) in model.toPeers { toPeers.send(PeerWorld.wrap(bytes, from: relayed, to: peer), now: now) }
        model.toPeers = []
        for bytes in model.toClient {
            // A TCP stream arrives in arbitrary pieces.
            let size = server.isTCP ? 700 : bytes.count
            for start in stride(from: 0, to: bytes.count, by: size) {
                toClient.send(Array(bytes[start..<min(bytes.count, start + size)]), now: now)
            }
        }
        model.toClient = []
    }

    var deadline: Deadline? {
        .earliest(.earliest(toServer.deadline, toClient.deadline), toPeers.deadline)
    }
}
