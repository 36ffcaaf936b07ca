import HelioCore
import HelioICE
import HelioProtection
import HelioSTUN

/// Fuzzes an ICE agent with arbitrary datagrams.
///
/// The first byte selects the conditions: bit 0, the peer's credentials are known; bit 1, a pair is selected; bit 2,
/// the datagrams are from a malicious peer with valid MESSAGE-INTEGRITY instead of a stranger; bit 3, the agent is
/// controlling; bit 4, the agent is ICE lite. The rest is a sequence of datagrams, each preceded by a byte for source
/// address and delay, and a byte for the length divided by 4.
package enum ICEFuzz {
    private static let host = TransportAddress(.v4(0xC000_0202), port: 5000)
    private static let peer = TransportAddress(.v4(0xC000_0203), port: 6000)

    package static func run(_ bytes: [UInt8]) {
        guard let mode = bytes.first else { return }
        var settings = ICESettings(isControlling: mode & 8 != 0)
        settings.isLite = mode & 16 != 0
        settings.stunServers = [TransportAddress(.v4(0xC000_0201), port: 3478)]
        guard let agent = try? ICEAgent(settings, crypto: ToyCrypto(), random: SeededGenerator(seed: 7), now: .zero),
            let credentials = ICECredentials(usernameFragment: "peer", password: "passwordOfThePeer123456")
        else { preconditionFailure("these settings are good") }
        var run = Run(agent: agent, credentials: credentials, isGenuine: mode & 4 != 0)
        run.give(.localCandidate(.host(host)))
        run.give(.localCandidatesEnded)
        if mode & 1 != 0 { run.give(.remoteCredentials(credentials, isLite: false)) }
        if mode & 3 == 3 { run.connect() }
        let before = agent.selectedPair
        var steps = FuzzSteps(bytes, from: 1)
        while let (place, length) = steps.next() { run.datagram(steps.takeBytes(length * 4), place: place) }
        if mode & 4 == 0 {
            precondition(agent.selectedPair == before || agent.state != .connected, "junk changed the path")
        }
        agent.handle(.close, now: run.now)
        precondition(agent.deadline == nil, "a closed agent waits for something")
    }

    private struct Run {
        let agent: ICEAgent
        let credentials: ICECredentials
        let isGenuine: Bool
        var now = Instant.zero
        /// The transaction ID of the agent's last check, for the answer.
        var asked: STUNTransactionID?

        mutating func give(_ input: ICEAgent.Input) {
            agent.handle(input, now: now)
            drain()
        }

        /// Simulates a correct peer until a pair is selected.
        mutating func connect() {
            give(
                .remoteCandidate(
                    CandidateAttribute(
                        foundation: "1", priority: 2_130_706_431, host: .ip(peer.ip), port: peer.port, kind: .host)))
            for number in 0..<4 as Range<UInt64> {
                pass(.milliseconds(60))
                if let asked { answer(asked) }
                // A controlled or lite agent does not nominate, so the peer nominates.
                guard !agent.isControlling || agent.settings.isLite else { continue }
                let message = STUNMessage(
                    .request, .binding, STUNTransactionID(high: 1, low: number),
                    [.priority(1), .iceControlling(1), .useCandidate])
                give(.datagram(sealed(message), from: peer, onLocal: host))
            }
            pass(.milliseconds(600))
            if let asked { answer(asked) }
            precondition(agent.selectedPair != nil, "the session must begin")
        }

        mutating func answer(_ transaction: STUNTransactionID) {
            give(
                .datagram(
                    sealed(STUNMessage(.success, .binding, transaction, [.xorMappedAddress(host)])), from: peer,
                    onLocal: host))
        }

        mutating func datagram(_ bytes: [UInt8], place: UInt8) {
            pass(.milliseconds(Int64(place >> 4) * 150))
            let from = place & 1 == 0 ? peer : TransportAddress(.v4(0x0909_0900 + UInt32(place & 14)), port: 9)
            var bytes = bytes
            if isGenuine, let packet = try? STUNPacket(parsing: bytes.span.bytes) {
                var message = packet.message
                if message.kind == .success || message.kind == .error, let asked { message.transaction = asked }
                bytes = sealed(message)
            }
            give(.datagram(bytes, from: from, onLocal: host))
        }

        /// Adds the MESSAGE-INTEGRITY that the agent expects: with its own password for checks, the peer's for answers.
        func sealed(_ message: STUNMessage) -> [UInt8] {
            var message = message
            let isCheck = message.kind == .request
            if isCheck, message.username == nil {
                message.attributes.insert(.username("\(agent.localCredentials.usernameFragment):peer"), at: 0)
            }
            let password = isCheck ? agent.localCredentials.password : credentials.password
            guard let mac = try? ToyCrypto().mac(.sha1, key: password) else { preconditionFailure("any key is good") }
            return message.serialised(integrity: .sha1) { mac.code(over: $0, trailer: nil).bytes }
        }

        mutating func pass(_ duration: Duration) {
            let end = now + duration
            var steps = 0
            while let due = agent.deadline, due.at <= end {
                now = max(now, due.at)
                agent.tick(now: now)
                drain()
                steps += 1
                precondition(steps < 10_000, "no end of work: \(due.why)")
            }
            now = end
        }

        private mutating func drain() {
            var count = 0
            while let output = agent.poll() {
                count += 1
                precondition(count < 200, "one input has too many consequences")
                guard case .send(let bytes, let from, _) = output else { continue }
                precondition(from == host, "sends from where it is not")
                guard let packet = try? STUNPacket(parsing: bytes.span.bytes) else {
                    preconditionFailure("sends what is no STUN")
                }
                if packet.message.kind == .request, packet.message.username != nil {
                    asked = packet.message.transaction
                }
            }
        }
    }
}
