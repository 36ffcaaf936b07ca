import HelioCore
import HelioJSON
import HelioRemoteWire
import Testing

@Suite("Signalling messages")
struct SignalingMessageTests {
    private static let nonce = [UInt8](repeating: 0, count: 16)
    private static let nonceText = String(repeating: "A", count: 22)
    private static let hash = [UInt8](repeating: 0xFF, count: 32)
    private static let hashText = String(repeating: "_", count: 42) + "8"
    private static let mac = HardwareAddress([0x52, 0x54, 0, 0x1A, 0xFF, 9])!
    private static let sdp = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\n"

    private static let vectors: [MessageVector<SignalingMessage>] = [
        .init(
            .hello(.init(nonce: nonce, fingerprint: hash, name: "Anna's phone")),
            #"{"type":"hello","version":1,"nonce":"\#(nonceText)","fingerprint":"\#(hashText)","name":"Anna's phone"}"#),
        .init(
            .hello(.init(nonce: nonce, fingerprint: hash, name: "x", isVisit: true, isPhone: true)),
            #"{"type":"hello","version":1,"nonce":"\#(nonceText)","fingerprint":"\#(hashText)","name":"x","#
                + #""visit":true,"phone":true}"#),
        .init(
            .welcome(.init(version: 2, nonce: nonce, fingerprint: hash, name: "", pairing: true)),
            #"{"type":"welcome","version":2,"nonce":"\#(nonceText)","fingerprint":"\#(hashText)","name":"","#
                + #""pairing":true}"#),
        .init(
            .welcome(
                .init(
                    nonce: nonce, fingerprint: hash, name: "tower", pairing: false, system: .linux, servesHTTPS: true)),
            #"{"type":"welcome","version":1,"nonce":"\#(nonceText)","fingerprint":"\#(hashText)","name":"tower","#
                + #""pairing":false,"system":"linux","https":true}"#),
        .init(.join(.init(proof: hash)), #"{"type":"join","proof":"\#(hashText)"}"#),
        .init(
            .join(.init(proof: hash, device: nonce)),
            #"{"type":"join","proof":"\#(hashText)","device":"\#(nonceText)"}"#),
        .init(.pair(commitment: hash), #"{"type":"pair","commitment":"\#(hashText)"}"#),
        .init(.pairing(nonce: nonce), #"{"type":"pairing","nonce":"\#(nonceText)"}"#),
        .init(.reveal(nonce: nonce), #"{"type":"reveal","nonce":"\#(nonceText)"}"#),
        .init(.confirm, #"{"type":"confirm"}"#),
        .init(
            .admitted(.init(proof: hash, control: false)),
            #"{"type":"admitted","proof":"\#(hashText)","control":false,"iceServers":[]}"#),
        .init(
            .admitted(
                .init(
                    proof: nil, control: true,
                    iceServers: [
                        ICEServerEntry(urls: ["stun:stun.example"]),
                        ICEServerEntry(urls: ["turn:a", "turns:b"], username: "u", credential: "c"),
                    ])),
            #"{"type":"admitted","control":true,"iceServers":[{"urls":["stun:stun.example"]},"#
                + #"{"urls":["turn:a","turns:b"],"username":"u","credential":"c"}]}"#),
        .init(.refused(.otherCertificate), #"{"type":"refused","reason":"other-certificate"}"#),
        .init(.offer(sdp: sdp), #"{"type":"offer","sdp":"v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\n"}"#),
        .init(.answer(sdp: sdp), #"{"type":"answer","sdp":"v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\n"}"#),
        .init(
            .candidate(
                TrickledCandidate(
                    candidate: "candidate:1 1 udp 1 127.0.0.1 9 typ host", sdpMid: "0", sdpMLineIndex: 0)),
            #"{"type":"candidate","candidate":"candidate:1 1 udp 1 127.0.0.1 9 typ host","sdpMid":"0","#
                + #""sdpMLineIndex":0}"#),
        .init(
            .candidate(TrickledCandidate(candidate: "", sdpMid: nil, sdpMLineIndex: nil)),
            #"{"type":"candidate","candidate":"","sdpMid":null,"sdpMLineIndex":null}"#),
        .init(.candidate(nil), #"{"type":"candidate","candidate":null}"#),
        .init(
            .error(RemoteErrorReport(message: "unknown type", about: "x")),
            #"{"type":"error","message":"unknown type","about":"x"}"#),
        .init(
            .wake([mac, HardwareAddress([2, 0, 0, 0, 0, 0xFF])!]),
            #"{"type":"wake","addresses":["52:54:00:1a:ff:09","02:00:00:00:00:ff"]}"#),
        .init(.woken(networks: 2), #"{"type":"woken","networks":2}"#),
        .init(.bye(reason: "the host has stopped sharing"), #"{"type":"bye","reason":"the host has stopped sharing"}"#),
    ]

    @Test(arguments: vectors)
    func vector(_ vector: MessageVector<SignalingMessage>) throws {
        try vector.check()
        let optional: Set = ["device", "sdpMid", "sdpMLineIndex", "about", "system", "https", "visit", "phone"]
        try vector.checkFields(optional: vector.message.type == "admitted" ? ["proof"] : optional)
    }

    /// The reasons are those listed in docs/web/protocol.md.
    @Test func reasonsAreThoseOfTheProtocol() throws {
        for reason in RefusalReason.allCases {
            let text = #"{"type":"refused","reason":"\#(reason.rawValue)"}"#
            #expect(SignalingMessage.refused(reason).serialised() == Array(text.utf8))
            #expect(try SignalingMessage(parsing: Array(text.utf8)) == .refused(reason))
        }
        #expect(RefusalReason.allCases.count == 17)
    }

    /// The forms of `RTCIceCandidate.toJSON()` in browsers, and those that `RTCConfiguration` allows.
    @Test func browsersForms() throws {
        let candidate =
            #"{"candidate":"candidate:1","sdpMid":"0","sdpMLineIndex":0,"usernameFragment":"abcd","type":"candidate"}"#
        #expect(
            try SignalingMessage(parsing: Array(candidate.utf8))
                == .candidate(TrickledCandidate(candidate: "candidate:1", sdpMid: "0", sdpMLineIndex: 0)))
        let end = #"{"type":"candidate","candidate":null,"sdpMid":null,"sdpMLineIndex":null}"#
        #expect(try SignalingMessage(parsing: Array(end.utf8)) == .candidate(nil))
        let single =
            #"{"type":"admitted","proof":null,"control":true,"iceServers":[{"urls":"stun:a","username":null}]}"#
        #expect(
            try SignalingMessage(parsing: Array(single.utf8))
                == .admitted(.init(proof: nil, control: true, iceServers: [ICEServerEntry(urls: ["stun:a"])])))
    }

    private static func long(_ count: Int) -> String { String(repeating: "x", count: count) }
    private static func list(_ element: String, _ count: Int) -> String {
        "[\(repeatElement(element, count: count).joined(separator: ","))]"
    }

    @Test(
        arguments: [
            .init(#"{"type":"hello","version":0}"#, "version"),
            .init(#"{"type":"hello","version":"1"}"#, "version"),
            .init(#"{"type":"hello","version":65536}"#, "version"),
            .init(#"{"type":"hello","version":1,"nonce":"AAAA"}"#, "nonce"),
            .init(
                #"{"type":"hello","version":1,"nonce":"\#(nonceText)","fingerprint":"\#(nonceText)"}"#, "fingerprint"),
            .init(
                #"{"type":"hello","version":1,"nonce":"\#(nonceText)","fingerprint":"\#(hashText)","name":"\#(long(257))"}"#,
                "name"),
            .init(
                #"{"type":"welcome","version":1,"nonce":"\#(nonceText)","fingerprint":"\#(hashText)","name":""}"#,
                "pairing"),
            .init(#"{"type":"join","proof":"\#(hashText)AAA"}"#, "proof"),
            // Non-zero trailing bits in the last character.
            .init(#"{"type":"join","proof":"\#(String(repeating: "_", count: 43))"}"#, "proof"),
            .init(#"{"type":"join","proof":"\#(hashText)","device":"AA"}"#, "device"),
            .init(#"{"type":"join","proof":"\#(hashText)","device":1}"#, "device"),
            .init(#"{"type":"pair","commitment":""}"#, "commitment"),
            .init(#"{"type":"pairing","nonce":null}"#, "nonce"),
            .init(#"{"type":"reveal","nonce":"\#(nonceText)="}"#, "nonce"),
            .init(#"{"type":"admitted","proof":"AA","control":true,"iceServers":[]}"#, "proof"),
            .init(#"{"type":"admitted","control":1,"iceServers":[]}"#, "control"),
            .init(#"{"type":"admitted","control":true,"iceServers":{}}"#, "iceServers"),
            .init(#"{"type":"admitted","control":true,"iceServers":\#(list(#"{"urls":"a"}"#, 17))}"#, "iceServers"),
            .init(#"{"type":"admitted","control":true,"iceServers":[{}]}"#, "iceServers.urls"),
            .init(#"{"type":"admitted","control":true,"iceServers":[{"urls":[1]}]}"#, "iceServers.urls"),
            .init(
                #"{"type":"admitted","control":true,"iceServers":[{"urls":\#(list(#""a""#, 17))}]}"#, "iceServers.urls"),
            .init(#"{"type":"admitted","control":true,"iceServers":[{"urls":"\#(long(513))"}]}"#, "iceServers.urls"),
            .init(
                #"{"type":"admitted","control":true,"iceServers":[{"urls":"a","credential":"\#(long(513))"}]}"#,
                "iceServers.credential"),
            .init(#"{"type":"refused","reason":"because"}"#, "reason"),
            .init(#"{"type":"offer","sdp":""}"#, "sdp"),
            .init(#"{"type":"offer","sdp":"\#(long(49_153))"}"#, "sdp"),
            .init(#"{"type":"answer","sdp":{"type":"answer","sdp":"v=0"}}"#, "sdp"),
            .init(#"{"type":"candidate"}"#, "candidate"),
            .init(#"{"type":"candidate","candidate":"\#(long(1025))"}"#, "candidate"),
            .init(#"{"type":"candidate","candidate":"","sdpMid":0}"#, "sdpMid"),
            .init(#"{"type":"candidate","candidate":"","sdpMid":"\#(long(65))"}"#, "sdpMid"),
            .init(#"{"type":"candidate","candidate":"","sdpMLineIndex":-1}"#, "sdpMLineIndex"),
            .init(#"{"type":"error","message":"\#(long(513))"}"#, "message"),
            .init(#"{"type":"wake"}"#, "addresses"),
            .init(#"{"type":"wake","addresses":[]}"#, "addresses"),
            .init(#"{"type":"wake","addresses":"02:00:00:00:00:01"}"#, "addresses"),
            .init(#"{"type":"wake","addresses":[1]}"#, "addresses"),
            .init(#"{"type":"wake","addresses":["02:00:00:00:00:1"]}"#, "addresses"),
            .init(#"{"type":"wake","addresses":["ff:ff:ff:ff:ff:ff"]}"#, "addresses"),
            .init(#"{"type":"wake","addresses":\#(list(#""02:00:00:00:00:01""#, 5))}"#, "addresses"),
            .init(#"{"type":"woken"}"#, "networks"),
            .init(#"{"type":"woken","networks":-1}"#, "networks"),
            .init(#"{"type":"woken","networks":256}"#, "networks"),
            .init(#"{"type":"bye"}"#, "reason"),
        ] as [HostileMessage])
    func malformed(_ hostile: HostileMessage) throws {
        try hostile.check(SignalingMessage.self)
    }

    @Test func limitsAreInside() throws {
        // Each line end is escaped to four bytes.
        let offer = SignalingMessage.offer(sdp: String(repeating: "a=mid:01234567\r\n", count: 49_152 / 16))
        #expect(offer.serialised().count <= SignalingMessage.maximumSize)
        #expect(try SignalingMessage(parsing: offer.serialised()) == offer)
        let confirm = Array(#"{"type":"confirm"}"#.utf8)
        let padded = confirm + [UInt8](repeating: 0x0A, count: SignalingMessage.maximumSize - confirm.count)
        #expect(try SignalingMessage(parsing: padded) == .confirm)
        #expect(throws: RemoteWireError.notJSON(JSONError(.tooLong, at: 65_536))) {
            try SignalingMessage(parsing: padded + [0x0A])
        }
    }

    @Test(arguments: ["mouseMove", "screenInfo", "Hello", "rollback"])
    func unknownTypes(type: String) {
        let text = #"{"type":"\#(type)"}"#
        #expect(throws: RemoteWireError.unknownType(type)) { try SignalingMessage(parsing: Array(text.utf8)) }
    }
}
