import HelioCore
import HelioJSON

extension SignalingMessage {
    /// The value of the message's JSON field `type`.
    public var type: String {
        switch self {
        case .hello: "hello"
        case .join: "join"
        case .pair: "pair"
        case .reveal: "reveal"
        case .confirm: "confirm"
        case .offer: "offer"
        case .wake: "wake"
        case .welcome: "welcome"
        case .pairing: "pairing"
        case .admitted: "admitted"
        case .refused: "refused"
        case .answer: "answer"
        case .woken: "woken"
        case .bye: "bye"
        case .candidate: "candidate"
        case .error: "error"
        }
    }

    /// Parses a whole message of at most ``maximumSize`` bytes.
    public init(parsing bytes: RawSpan) throws(RemoteWireError) {
        let fields = try MessageFields(parsing: bytes, limits: JSONLimits(bytes: Self.maximumSize, values: 1024))
        switch fields.type {
        case "hello": self = .hello(try Hello(fields))
        case "join":
            let proof = try fields.bytes("proof", count: Self.proofLength)
            self = .join(Join(proof: proof, device: try fields.optionalBytes("device", count: Self.deviceLength)))
        case "pair": self = .pair(commitment: try fields.bytes("commitment", count: Self.commitmentLength))
        case "reveal": self = .reveal(nonce: try fields.bytes("nonce", count: Self.nonceLength))
        case "confirm": self = .confirm
        case "offer": self = .offer(sdp: try fields.text("sdp", size: 1...Self.longestDescription))
        case "wake": self = .wake(try fields.hardwareAddresses())
        case "welcome": self = .welcome(try Welcome(fields))
        case "pairing": self = .pairing(nonce: try fields.bytes("nonce", count: Self.nonceLength))
        case "admitted": self = .admitted(try Admitted(fields))
        case "refused": self = .refused(try fields.name("reason", of: RefusalReason.self))
        case "answer": self = .answer(sdp: try fields.text("sdp", size: 1...Self.longestDescription))
        case "woken": self = .woken(networks: try fields.integer("networks", in: 0...Self.mostWakeNetworks))
        case "bye": self = .bye(reason: try fields.reason())
        case "candidate":
            self = .candidate(fields.isNull("candidate") ? nil : try TrickledCandidate(fields))
        case "error": self = .error(try fields.errorReport())
        default: throw .unknownType(fields.type)
        }
    }

    /// The message as JSON in UTF-8; texts beyond their limits are cut.
    public func serialised() -> [UInt8] {
        var text = MessageText(type)
        switch self {
        case .hello(let hello):
            text.set("version", hello.version)
            text.set("nonce", hello.nonce)
            text.set("fingerprint", hello.fingerprint)
            text.set("name", hello.name)
            if hello.isVisit { text.set("visit", true) }
            if hello.isPhone { text.set("phone", true) }
        case .join(let join):
            text.set("proof", join.proof)
            text.set("device", join.device)
        case .pair(let commitment): text.set("commitment", commitment)
        case .reveal(let nonce), .pairing(let nonce): text.set("nonce", nonce)
        case .confirm: break
        case .offer(let sdp), .answer(let sdp): text.set("sdp", sdp)
        case .wake(let addresses):
            text.set("addresses", .array(addresses.prefix(Self.mostWakeAddresses).map { .string($0.description) }))
        case .welcome(let welcome):
            text.set("version", welcome.version)
            text.set("nonce", welcome.nonce)
            text.set("fingerprint", welcome.fingerprint)
            text.set("name", welcome.name)
            text.set("pairing", welcome.pairing)
            if let system = welcome.system { text.set("system", system.rawValue) }
            if welcome.servesHTTPS { text.set("https", true) }
        case .admitted(let admitted):
            text.set("proof", admitted.proof)
            text.set("control", admitted.control)
            text.set("iceServers", .array(admitted.iceServers.map { $0.json }))
        case .refused(let reason): text.set("reason", reason.rawValue)
        case .woken(let networks): text.set("networks", min(networks, Self.mostWakeNetworks))
        case .bye(let reason): text.set(reason: reason)
        case .candidate(let candidate):
            text.set("candidate", candidate.map { .string($0.candidate) } ?? .null)
            if let candidate {
                text.set("sdpMid", candidate.sdpMid.map(JSON.string) ?? .null)
                text.set("sdpMLineIndex", candidate.sdpMLineIndex.map { JSON($0) } ?? .null)
            }
        case .error(let report): text.set(report)
        }
        return text.serialised()
    }

    fileprivate static let versions = 1...65_535
    fileprivate static let mostICEServers = 16
    fileprivate static let mostURLs = 16
    fileprivate static let longestICEText = 512
}

extension MessageFields {
    /// Reads `addresses`, 1 to 4 hardware addresses.
    fileprivate func hardwareAddresses() throws(RemoteWireError) -> [HardwareAddress] {
        let most = SignalingMessage.mostWakeAddresses
        var addresses: [HardwareAddress] = []
        for text in try texts("addresses", most: most, size: HardwareAddress.textLength...HardwareAddress.textLength) {
            guard let address = HardwareAddress(text) else { throw malformed("addresses") }
            addresses.append(address)
        }
        guard !addresses.isEmpty else { throw malformed("addresses") }
        return addresses
    }
}

extension SignalingMessage.Hello {
    fileprivate init(_ fields: MessageFields) throws(RemoteWireError) {
        let version = try fields.integer("version", in: SignalingMessage.versions)
        let nonce = try fields.bytes("nonce", count: SignalingMessage.nonceLength)
        let fingerprint = try fields.bytes("fingerprint", count: SignalingMessage.fingerprintLength)
        let name = try fields.text("name", size: 0...SignalingMessage.longestName)
        self.init(
            version: version, nonce: nonce, fingerprint: fingerprint, name: name,
            isVisit: try fields.optionalFlag("visit"), isPhone: try fields.optionalFlag("phone"))
    }
}

extension SignalingMessage.Welcome {
    fileprivate init(_ fields: MessageFields) throws(RemoteWireError) {
        // A welcome has the fields of a hello, and more.
        let hello = try SignalingMessage.Hello(fields)
        self.init(
            version: hello.version, nonce: hello.nonce, fingerprint: hello.fingerprint, name: hello.name,
            pairing: try fields.flag("pairing"),
            system: fields.value("system") == nil ? nil : try fields.name("system", of: HostSystem.self),
            servesHTTPS: try fields.optionalFlag("https"))
    }
}

extension SignalingMessage.Admitted {
    fileprivate init(_ fields: MessageFields) throws(RemoteWireError) {
        let proof = try fields.optionalBytes("proof", count: SignalingMessage.proofLength)
        self.init(proof: proof, control: try fields.flag("control"))
        for entry in try fields.list("iceServers", most: SignalingMessage.mostICEServers) {
            iceServers.append(try ICEServerEntry(entry))
        }
    }
}

extension ICEServerEntry {
    fileprivate init(_ fields: MessageFields) throws(RemoteWireError) {
        let values: [JSON]
        switch fields.value("urls") {
        case .string(let url)?: values = [.string(url)]
        case .array(let list)? where list.count <= SignalingMessage.mostURLs: values = list
        default: throw fields.malformed("urls")
        }
        let sizes = 0...SignalingMessage.longestICEText
        var urls: [String] = []
        for value in values {
            guard case .string(let url) = value, sizes.contains(url.utf8.count) else { throw fields.malformed("urls") }
            urls.append(url)
        }
        let username = try fields.optionalText("username", size: sizes)
        self.init(urls: urls, username: username, credential: try fields.optionalText("credential", size: sizes))
    }

    fileprivate var json: JSON {
        MessageText.part {
            $0.set("urls", .array(urls.map(JSON.string)))
            $0.set("username", username)
            $0.set("credential", credential)
        }
    }
}

extension TrickledCandidate {
    fileprivate init(_ fields: MessageFields) throws(RemoteWireError) {
        let candidate = try fields.text("candidate", size: 0...1024)
        let mid = try fields.optionalText("sdpMid", size: 0...64)
        let index = fields.value("sdpMLineIndex") == nil ? nil : try fields.integer("sdpMLineIndex", in: 0...65_535)
        self.init(candidate: candidate, sdpMid: mid, sdpMLineIndex: index)
    }
}
