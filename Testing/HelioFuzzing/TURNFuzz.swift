import HelioCore
import HelioProtection
import HelioSTUN
import HelioTURN

/// Fuzzes a TURN client with a malicious server, or another sender, that sends arbitrary bytes.
///
/// The first byte selects the conditions: bit 0, TCP; bit 1, an allocation exists; bit 2, a channel exists too; bit 3,
/// the relayed address is IPv6; bit 4, the sender is a malicious server, whose answers match the last request and have
/// a valid MESSAGE-INTEGRITY, instead of a stranger. The rest is a sequence of events: a byte for the delay (its upper
/// half) and the kind, a byte for the length divided by 4, and the data to receive, send or permit.
package enum TURNFuzz {
    private static let username = "user"
    private static let password = "password"
    private static let peer = TransportAddress(.v4(0xC633_6401), port: 5000)
    private static let peer6 = TransportAddress(.v6(high: 0x2001_0DB8_0000_0000, low: 1), port: 5000)

    package static func run(_ bytes: [UInt8]) {
        guard let mode = bytes.first else { return }
        let isIPv6 = mode & 8 != 0
        let server = Self.server(0, isTCP: mode & 1 != 0, relayedFamily: isIPv6 ? .ipv6 : .ipv4)
        var run = Run(server: server, peer: isIPv6 ? peer6 : peer, isGenuine: mode & 16 != 0)
        run.give(.connected)
        if mode & 6 != 0 { run.allocate() }
        if mode & 4 != 0 { run.bind() }
        let before = run.client.relayedAddress
        var offset = 1
        while offset + 1 < bytes.count {
            let end = min(bytes.count, offset + 2 + Int(bytes[offset + 1]) * 4)
            run.event(bytes[offset], Array(bytes[offset + 2..<end]))
            offset = end
        }
        if !run.isGenuine, !server.isTCP, !run.hasEnded {
            precondition(run.client.relayedAddress == before || before == nil, "junk ended an allocation")
        }
        run.give(.close)
        run.pass(.seconds(10))
        precondition(run.client.deadline == nil, "a closed client waits for something")
        precondition(run.endings == 1, "an end that comes twice, or never")
    }

    static func server(_ number: Int, isTCP: Bool, relayedFamily: AddressFamily = .ipv4) -> TURNServer {
        TURNServer(
            id: TURNServer.ID(rawValue: number), address: TransportAddress(.v4(0xC000_0201), port: 3478),
            isTCP: isTCP, username: username, password: SecretBytes(Array(password.utf8)), relayedFamily: relayedFamily)
    }

    /// Adds the MESSAGE-INTEGRITY that the client expects in an answer to `request`; adds none if the request has no
    /// realm.
    static func sealed(_ message: STUNMessage, for request: STUNMessage) -> [UInt8] {
        guard let realm = request.realm else { return message.serialised() }
        let isModern = request.attributes.contains(.passwordAlgorithm(.sha256))
        let isNew = isModern || request.attributes.contains(.passwordAlgorithm(.md5))
        let text = Array("\(username):\(realm):\(password)".utf8)
        guard let key = try? ToyCrypto().hash(isModern ? .sha256 : .md5, text.span.bytes),
            let mac = try? ToyCrypto().mac(isNew ? .sha256 : .sha1, key: SecretBytes(key))
        else { preconditionFailure("any key is good") }
        return message.serialised(integrity: isNew ? .sha256 : .sha1) { mac.code(over: $0, trailer: nil).bytes }
    }

    private struct Run {
        let server: TURNServer
        let peer: TransportAddress
        let isGenuine: Bool
        let client: TURNClient
        var now = Instant.zero
        /// The client's last request.
        var asked: STUNMessage?
        var endings = 0
        /// True once an event has ended the session.
        var hasEnded = false

        init(server: TURNServer, peer: TransportAddress, isGenuine: Bool) {
            self.server = server
            self.peer = peer
            self.isGenuine = isGenuine
            client = TURNClient(server, crypto: ToyCrypto(), random: SeededGenerator(seed: 5))
        }

        mutating func give(_ input: TURNClient.Input) {
            client.handle(input, now: now)
            drain()
        }

        // MARK: A well-behaved server

        mutating func answer(_ kind: STUNClass, _ attributes: [STUNAttribute]) {
            guard let asked else { preconditionFailure("asks nothing") }
            give(.received(sealed(STUNMessage(kind, asked.method, asked.transaction, attributes), for: asked)))
        }

        mutating func allocate() {
            answer(.error, [.errorCode(STUNErrorCode(401, "")), .realm("realm"), .nonce("nonce")])
            let relayed = TransportAddress(peer.ip, port: 50_000)
            answer(.success, [.xorRelayedAddress(relayed), .lifetime(3600)])
            precondition(client.relayedAddress == relayed, "the session must begin")
        }

        mutating func bind() {
            give(.send([1], to: peer))
            answer(.success, [])
            let data = STUNMessage(
                .indication, .data, STUNTransactionID(high: 1, low: 1), [.xorPeerAddress(peer), .data([2])])
            give(.received(data.serialised()))
            give(.send([3], to: peer))
            precondition(asked?.method == .channelBind, "a peer that answers gets a channel")
            answer(.success, [])
        }

        // MARK: Events

        mutating func event(_ head: UInt8, _ bytes: [UInt8]) {
            // The delay is between 0.2 s and about an hour.
            if head >> 4 > 0 {
                let time = Duration.milliseconds(100) * (1 << Int(head >> 4))
                // With a stranger's junk the time is limited, so that the allocation can't expire by itself: if it
                // ends, the junk has ended it.
                pass(isGenuine ? time : max(.zero, min(time, now.duration(to: .zero + .seconds(3000)))))
            }
            switch head & 15 {
            case 12: give(.send(bytes, to: address(bytes)))
            case 13: give(.permit(address(bytes).ip))
            case 14:
                hasEnded = true
                give(.close)
            case 15:
                if bytes.isEmpty {
                    hasEnded = true
                    give(.disconnected)
                } else {
                    give(.connected)
                }
            default: give(.received(received(bytes)))
            }
        }

        /// Returns the known peer's address, or another one that the bytes select.
        private func address(_ bytes: [UInt8]) -> TransportAddress {
            guard bytes.count >= 4, bytes[0] != 0 else { return peer }
            return TransportAddress(.v4(UInt32(bytes[0]) << 8 | UInt32(bytes[1])), port: UInt16(bytes[2]))
        }

        private func received(_ bytes: [UInt8]) -> [UInt8] {
            guard let packet = try? STUNPacket(parsing: bytes.span.bytes), let asked else { return bytes }
            var message = packet.message
            guard message.kind == .success || message.kind == .error else { return bytes }
            if isGenuine {
                message.transaction = asked.transaction
                message.method = asked.method
                return sealed(message, for: asked)
            }
            // A stranger can't guess the transaction ID, so make sure that the fuzzer's is wrong.
            message.transaction.low = 0
            return message.serialised()
        }

        mutating func pass(_ duration: Duration) {
            let end = now + duration
            var steps = 0
            while let due = client.deadline, due.at <= end {
                now = max(now, due.at)
                client.tick(now: now)
                drain()
                steps += 1
                precondition(steps < 200_000, "no end of work: \(due.why)")
            }
            now = max(now, end)
        }

        private mutating func drain() {
            var count = 0
            while let output = client.poll() {
                count += 1
                precondition(count < 2000, "one input has too many consequences")
                switch output {
                case .send(let bytes): check(bytes)
                case .event(.failed), .event(.closed):
                    endings += 1
                    hasEnded = true
                case .event(.data(_, let from)):
                    precondition(from.family == server.relayedFamily, "data of a peer that cannot be")
                case .event(.allocated), .event(.redirected): break
                }
            }
        }

        private mutating func check(_ bytes: [UInt8]) {
            if let packet = try? STUNPacket(parsing: bytes.span.bytes) {
                if packet.message.kind == .request { asked = packet.message }
            } else {
                precondition(ChannelData(parsing: bytes.span.bytes) != nil, "sends what is neither STUN nor data")
                precondition(!server.isTCP || bytes.count % 4 == 0, "a stream out of step")
            }
        }
    }
}
