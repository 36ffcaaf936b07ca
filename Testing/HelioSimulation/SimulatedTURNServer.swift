package import HelioCore
package import HelioProtection
package import HelioSTUN

/// A TURN server (RFC 8656) for one client, sans-IO and strict: it records every violation of the RFC in `violations`.
package final class SimulatedTURNServer {
    /// The authentication that the server requires.
    package enum Authentication {
        case none
        /// RFC 5389: MD5 and HMAC-SHA1.
        case md5
        /// RFC 8489: SHA-256, and HMAC-SHA256.
        case sha256
        /// RFC 8489 with USERHASH instead of USERNAME.
        case hiddenName
        /// The nonce cookie announces password algorithms, but PASSWORD-ALGORITHMS is missing, as if an attacker had
        /// removed it (bid-down).
        case stripped
        /// PASSWORD-ALGORITHMS has only unknown algorithms.
        case exotic
    }

    package struct Channel {
        package let peer: TransportAddress
        package var until: Instant
    }

    package static let username = "anna"
    package static let realm = "relay.example"

    package var authentication = Authentication.md5
    package var password = "correct horse"
    /// The time after which the server refuses a nonce with error 438 (Stale Nonce).
    package var nonceLifetime = Duration.seconds(3600)
    package var grantedLifetime: UInt32 = 600
    package var relayed: TransportAddress? = TransportAddress(.v4(0xCB00_7101), port: 49_500)
    package var family = AddressFamily.ipv4
    package var isTCP = false
    /// The error code with which all requests of a method are answered, by method.
    package var errors: [STUNMethod: UInt16] = [:]
    /// The peers to which the server refuses to relay (error 403).
    package var forbidden: Set<IPAddress> = []
    package var alternate: TransportAddress?
    /// True if the server never answers.
    package var isSilent = false
    package var signsErrors = true
    /// Modifies each answer before MESSAGE-INTEGRITY is added.
    package var tamper: (inout STUNMessage) -> Void = { _ in }
    /// True if the server answers every request with error 438 (Stale Nonce).
    package var isNeverContent = false

    package private(set) var requests: [STUNMessage] = []
    package private(set) var sendIndications = 0
    package private(set) var channelMessages = 0
    package private(set) var violations: [String] = []
    package private(set) var allocationEnds: Instant?
    package private(set) var permissions: [IPAddress: Instant] = [:]
    package private(set) var channels: [UInt16: Channel] = [:]
    private var quarantine: [UInt16: (peer: TransportAddress, until: Instant)] = [:]
    private var nonce = ""
    private var nonceEnds = Instant.zero
    private var nonces = 0
    /// The answers by transaction ID: a retransmitted request gets the same answer, but is executed only once.
    private var answers: [STUNTransactionID: [UInt8]] = [:]
    private var stream: [UInt8] = []

    package var toClient: [[UInt8]] = []
    package var toPeers: [(bytes: [UInt8], to: TransportAddress)] = []
    private let crypto: any CryptoProvider

    package init(crypto: any CryptoProvider) { self.crypto = crypto }

    package var hasAllocation: Bool { allocationEnds != nil }

    package func count(_ method: STUNMethod) -> Int { requests.count { $0.method == method } }

    /// Discards all state, as after a crash.
    package func forgetAll() {
        allocationEnds = nil
        permissions = [:]
        channels = [:]
        answers = [:]
    }

    // MARK: From the client

    package func receive(_ bytes: [UInt8], now: Instant) {
        guard isTCP else { return receiveMessage(bytes, now) }
        stream += bytes
        while stream.count >= 4 {
            let length = Int(stream[2]) << 8 | Int(stream[3])
            let size = stream[0] < 0x40 ? 20 + length : 4 + (length + 3) / 4 * 4
            guard stream.count >= size else { return }
            receiveMessage(Array(stream[..<size]), now)
            stream.removeFirst(size)
        }
    }

    private func receiveMessage(_ bytes: [UInt8], _ now: Instant) {
        if isSilent { return }
        expire(now)
        if bytes[0] >= 0x40 { return receiveChannelData(bytes, now) }
        guard let packet = try? STUNPacket(parsing: bytes.span.bytes) else { return violate("not STUN") }
        let message = packet.message
        if message.kind == .indication { return receiveIndication(message, now) }
        guard message.kind == .request else { return violate("an answer") }
        if let answer = answers[message.transaction] { return toClient.append(answer) }
        requests.append(message)
        answer(message, packet, bytes, now)
    }

    private func answer(_ message: STUNMessage, _ packet: STUNPacket, _ bytes: [UInt8], _ now: Instant) {
        guard authentication == .none || message.nonce != nil else { return challenge(message, 401, now) }
        if authentication != .none {
            guard isGenuine(packet, bytes) else { return challenge(message, 401, now) }
            guard message.nonce == nonce, now < nonceEnds, !isNeverContent else { return challenge(message, 438, now) }
        }
        if let alternate { return refuse(message, 300, [.alternateServer(alternate)]) }
        if let code = errors[message.method] { return refuse(message, code) }
        switch message.method {
        case .allocate: allocate(message, now)
        case .refresh: refresh(message, now)
        case .createPermission: permit(message, now)
        case .channelBind: bind(message, now)
        default: violate("method \(message.method)")
        }
    }

    private func allocate(_ message: STUNMessage, _ now: Instant) {
        guard message.attributes.contains(.requestedTransport(17)) else { return refuse(message, 442) }
        let wanted = message.attributes.contains(.requestedAddressFamily(.ipv6)) ? AddressFamily.ipv6 : .ipv4
        guard wanted == family else { return refuse(message, 440) }
        guard allocationEnds == nil else { return refuse(message, 437) }
        allocationEnds = now + .seconds(Int64(grantedLifetime))
        succeed(
            message,
            (relayed.map { [.xorRelayedAddress($0)] } ?? []) + [
                .lifetime(grantedLifetime), .xorMappedAddress(TransportAddress(.v4(0xC633_6407), port: 6000)),
            ])
    }

    private func refresh(_ message: STUNMessage, _ now: Instant) {
        guard allocationEnds != nil else { return refuse(message, 437) }
        let lifetime = message.lifetime == 0 ? 0 : grantedLifetime
        allocationEnds = lifetime == 0 ? nil : now + .seconds(Int64(lifetime))
        if lifetime == 0 { forgetAll() }
        succeed(message, [.lifetime(lifetime)])
    }

    private func permit(_ message: STUNMessage, _ now: Instant) {
        guard allocationEnds != nil else { return refuse(message, 437) }
        guard let peer = message.peerAddress else { return refuse(message, 400) }
        guard peer.family == family else { return refuse(message, 443) }
        guard !forbidden.contains(peer.ip) else { return refuse(message, 403) }
        permissions[peer.ip] = now + .seconds(300)
        succeed(message)
    }

    private func bind(_ message: STUNMessage, _ now: Instant) {
        guard allocationEnds != nil else { return refuse(message, 437) }
        guard let peer = message.peerAddress, let number = message.channelNumber else { return refuse(message, 400) }
        guard (0x4000...0x4FFF).contains(number) else {
            violate("a number that no channel has")
            return refuse(message, 400)
        }
        if let bound = channels[number], bound.peer != peer { violate("another peer's channel") }
        if channels.contains(where: { $0.value.peer == peer && $0.key != number }) { violate("a second channel") }
        if let former = quarantine[number], former.peer != peer, now < former.until { violate("a number too early") }
        if quarantine.contains(where: { $0.key != number && $0.value.peer == peer && now < $0.value.until }) {
            violate("another number for a peer too early")
        }
        permissions[peer.ip] = now + .seconds(300)
        channels[number] = Channel(peer: peer, until: now + .seconds(600))
        succeed(message)
    }

    private func receiveIndication(_ message: STUNMessage, _ now: Instant) {
        guard message.method == .send, let peer = message.peerAddress, let data = message.data else {
            return violate("an indication")
        }
        sendIndications += 1
        guard hasAllocation, permissions[peer.ip] != nil else { return violate("sent without permission") }
        toPeers.append((data, peer))
    }

    private func receiveChannelData(_ bytes: [UInt8], _ now: Instant) {
        let number = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
        let length = Int(bytes[2]) << 8 | Int(bytes[3])
        channelMessages += 1
        guard let channel = channels[number] else { return violate("no such channel") }
        guard permissions[channel.peer.ip] != nil else { return violate("sent without permission") }
        guard isTCP ? bytes.count % 4 == 0 : bytes.count == 4 + length else { return violate("padding") }
        toPeers.append((Array(bytes[4..<4 + length]), channel.peer))
    }

    private func expire(_ now: Instant) {
        if let end = allocationEnds, end <= now { forgetAll() }
        permissions = permissions.filter { now < $0.value }
        for (number, channel) in channels where channel.until <= now {
            channels[number] = nil
            quarantine[number] = (channel.peer, channel.until + .seconds(300))
        }
    }

    private func violate(_ what: String) { violations.append(what) }

    // MARK: From peers

    package func peerSends(_ bytes: [UInt8], from peer: TransportAddress, now: Instant) {
        expire(now)
        guard hasAllocation, permissions[peer.ip] != nil else { return }
        if let (number, _) = channels.first(where: { $0.value.peer == peer }) {
            var message = [UInt8(number >> 8), UInt8(number & 255), UInt8(bytes.count >> 8), UInt8(bytes.count & 255)]
            message += bytes
            if isTCP { while message.count % 4 != 0 { message.append(0xEE) } }
            toClient.append(message)
        } else {
            nonces += 1
            let message = STUNMessage(
                .indication, .data, STUNTransactionID(high: 7, low: UInt64(nonces)),
                [.xorPeerAddress(peer), .data(bytes)])
            toClient.append(message.serialised(fingerprint: false))
        }
    }

    // MARK: Answers

    private func key(_ algorithm: HashAlgorithm) -> SecretBytes {
        let text = "\(Self.username):\(Self.realm):\(password)"
        return SecretBytes((try? crypto.hash(algorithm, Array(text.utf8).span.bytes)) ?? [])
    }

    private var isModern: Bool {
        switch authentication {
        case .sha256, .hiddenName: true
        case .none, .md5, .stripped, .exotic: false
        }
    }

    private func mac() -> any MACContext {
        let made =
            isModern
            ? try? crypto.mac(.sha256, key: key(.sha256)) : try? crypto.mac(.sha1, key: key(.md5))
        guard let made else { preconditionFailure("any key is good") }
        return made
    }

    private func isGenuine(_ packet: STUNPacket, _ bytes: [UInt8]) -> Bool {
        let message = packet.message
        guard message.realm == Self.realm, packet.seals.count == 1, let seal = packet.seals[isModern ? .sha256 : .sha1]
        else { return false }
        if authentication == .hiddenName {
            let name = Array("\(Self.username):\(Self.realm)".utf8)
            guard let hash = try? crypto.sha256(name.span.bytes), message.username == nil,
                message.attributes.contains(.userhash(hash))
            else { return false }
        } else {
            guard message.username == Self.username else { return false }
        }
        if isModern {
            guard message.attributes.contains(.passwordAlgorithms([.sha256, .md5])),
                message.attributes.contains(.passwordAlgorithm(.sha256))
            else { return false }
        }
        let covered = packet.covered(by: seal, of: bytes.span.bytes)
        return mac().code(over: covered.span.bytes, trailer: nil).bytes == seal.code
    }

    private func challenge(_ request: STUNMessage, _ code: UInt16, _ now: Instant) {
        if nonceEnds <= now || isNeverContent {
            nonces += 1
            let cookie =
                switch authentication {
                case .sha256, .stripped, .exotic: "obMatJos2AAAB"
                case .hiddenName: "obMatJos2AAAD"
                case .none, .md5: ""
                }
            nonce = "\(cookie)nonce-\(nonces)"
            nonceEnds = now + nonceLifetime
        }
        var attributes: [STUNAttribute] = [
            .errorCode(STUNErrorCode(code, "")), .realm(Self.realm), .nonce(nonce),
        ]
        if isModern { attributes.append(.passwordAlgorithms([.sha256, .md5])) }
        if authentication == .exotic {
            attributes.append(.passwordAlgorithms([STUNPasswordAlgorithm(number: 99)]))
        }
        finish(request, .error, attributes, isSigned: false)
    }

    private func refuse(_ request: STUNMessage, _ code: UInt16, _ more: [STUNAttribute] = []) {
        finish(request, .error, [.errorCode(STUNErrorCode(code, "no"))] + more, isSigned: signsErrors)
    }

    private func succeed(_ request: STUNMessage, _ attributes: [STUNAttribute] = []) {
        finish(request, .success, attributes, isSigned: true)
    }

    private func finish(
        _ request: STUNMessage, _ kind: STUNClass, _ attributes: [STUNAttribute], isSigned: Bool
    ) {
        var message = STUNMessage(kind, request.method, request.transaction, attributes)
        tamper(&message)
        let bytes: [UInt8]
        if isSigned, authentication != .none {
            let mac = mac()
            bytes = message.serialised(integrity: isModern ? .sha256 : .sha1) { mac.code(over: $0, trailer: nil).bytes }
        } else {
            bytes = message.serialised()
        }
        answers[request.transaction] = bytes
        toClient.append(bytes)
    }
}
