import HelioBroadcast
import HelioCore
import HelioProtection
import HelioSimulation
import Testing

struct WHIPExchangeTests {
    /// An exchange and its outputs.
    private struct Stage {
        var exchange: WHIPExchange
        var now = Instant(nanoseconds: 5_000_000_000)

        init(_ address: String = "whips://h:8443/whip/endpoint?room=1", token: String? = "token-1") throws {
            exchange = WHIPExchange(
                try WHIPAddress(parsing: address),
                token: try token.map { try StreamSecret(token: SecretBytes(Array($0.utf8))) })
        }

        mutating func said() -> [WHIPExchange.Output] {
            var outputs: [WHIPExchange.Output] = []
            while let output = exchange.poll() { outputs.append(output) }
            return outputs
        }

        mutating func handle(_ input: WHIPExchange.Input) -> [WHIPExchange.Output] {
            exchange.handle(input, now: now)
            return said()
        }

        mutating func answer(
            _ status: Int, _ fields: [(String, String)] = [], body: String = ""
        ) -> [WHIPExchange.Output] {
            handle(
                .response(
                    WHIPResponse(
                        status: status, fields: fields.map { HTTPField($0.0, $0.1) }, body: Array(body.utf8))))
        }

        /// Returns the request, provided that it is the only output.
        func request(_ outputs: [WHIPExchange.Output]) throws -> WHIPRequest {
            guard outputs.count == 1, case .send(let request) = outputs[0] else {
                throw HelioError(.invalidArgument, "\(outputs)")
            }
            return request
        }

        mutating func wait() -> [WHIPExchange.Output] {
            guard let deadline = exchange.deadline else { return [] }
            now = deadline.at
            exchange.tick(now: now)
            return said()
        }
    }

    private static let good = [("Content-Type", "application/sdp"), ("Location", "/session/7"), ("ETag", "\"a\"")]
    private static let authorization = HTTPField("Authorization", "Bearer token-1")

    private func isFailure(_ outputs: [WHIPExchange.Output], _ kind: BroadcastFailure.Kind) -> Bool {
        guard outputs.count == 1, case .failed(let failure) = outputs[0] else { return false }
        return failure.kind == kind
    }

    @Test func offerAnswerEnd() throws {
        var stage = try Stage()
        let offer = try stage.request(stage.handle(.offer("v=0\r\n")))
        #expect(offer.method == .post)
        #expect(offer.target == HTTPTarget(parsing: "https://h:8443/whip/endpoint?room=1"))
        #expect(offer.fields.contains(HTTPField("Content-Type", "application/sdp")))
        #expect(offer.fields.contains(Self.authorization))
        #expect(offer.body == Array("v=0\r\n".utf8))
        #expect(
            stage.answer(201, Self.good, body: "v=0\r\na=answer\r\n")
                == [.answered(WHIPAnswer(sdp: "v=0\r\na=answer\r\n", servers: []))])
        #expect(stage.exchange.deadline == nil)
        let end = try stage.request(stage.handle(.end))
        #expect(end.method == .delete)
        #expect(end.target == HTTPTarget(parsing: "https://h:8443/session/7"))
        #expect(end.fields == [Self.authorization])
        #expect(end.body.isEmpty)
        #expect(stage.answer(200) == [.ended])
        #expect(stage.exchange.isOver)
        #expect(stage.handle(.end) == [] && stage.answer(200) == [] && stage.handle(.offer("v=0")) == [])
    }

    @Test func withoutToken() throws {
        var stage = try Stage(token: nil)
        let offer = try stage.request(stage.handle(.offer("v=0")))
        #expect(!offer.fields.contains { $0.name == "Authorization" })
    }

    @Test("no description holds the token") func secrets() throws {
        var stage = try Stage()
        let outputs = stage.handle(.offer("v=0"))
        var dumped = ""
        dump(outputs, to: &dumped)
        for text in ["\(outputs)", String(reflecting: outputs), dumped] {
            #expect(!text.contains("token-1") && !text.contains("room"))
        }
    }

    @Test("follows 307 and 308, the token with it, and no other", arguments: [307, 308])
    func redirected(status: Int) throws {
        var stage = try Stage()
        _ = stage.handle(.offer("v=0"))
        let until = stage.exchange.deadline?.at
        let second = try stage.request(stage.answer(status, [("location", "https://H:8443/other")]))
        #expect(second.method == .post && second.target == HTTPTarget(parsing: "https://H:8443/other"))
        #expect(!second.isFirst)
        #expect(second.fields.contains(Self.authorization) && second.body == Array("v=0".utf8))
        // A redirect doesn't extend the time-out.
        #expect(stage.exchange.deadline?.at == until)
        #expect(stage.answer(201, Self.good, body: "v=0").count == 1)
        #expect(try stage.request(stage.handle(.end)).target == HTTPTarget(parsing: "https://H:8443/session/7"))
    }

    /// Locations that are not on the server's own origin.
    private static let thirdMachines = [
        "https://other/whip", "https://h:2375/containers/x?force=1", "https://127.0.0.1:8443/x", "//h/x",
        "https://h.other:8443/x", "https://[::1]:8443/x",
    ]

    @Test("nothing is asked of a third machine, whatever the server answers", arguments: thirdMachines)
    func thirdMachine(location: String) throws {
        for status in [307, 308] {
            var stage = try Stage()
            _ = stage.handle(.offer("v=0"))
            #expect(isFailure(stage.answer(status, [("Location", location)]), .untrusted))
        }
        // A session at such a location: its media are sent, but no request ends it there.
        var stage = try Stage()
        _ = stage.handle(.offer("v=0"))
        let fields = [Self.good[0], ("Location", location)]
        #expect(stage.answer(201, fields, body: "v=0") == [.answered(WHIPAnswer(sdp: "v=0", servers: []))])
        #expect(stage.handle(.end) == [.ended])
        // An answer without a description, and one that arrives after the end was requested.
        stage = try Stage()
        _ = stage.handle(.offer("v=0"))
        #expect(isFailure(stage.answer(201, [("Location", location)]), .incompatible))
        stage = try Stage()
        _ = stage.handle(.offer("v=0"))
        _ = stage.handle(.end)
        #expect(stage.answer(201, fields, body: "v=0") == [.ended])
    }

    /// The most bytes that an exchange holds for any answer: its own offer, and locations.
    private static let mostHeld = 64 << 10
    /// Link headers of 1.6 MB, more than an answer may have.
    private static let manyServers = (0..<200).map {
        ("Link", "<stun:\($0)\(String(repeating: "x", count: 8000))>; rel=\"ice-server\"")
    }

    /// For any answers of a server, requests are sent only to the configured server, and memory stays bounded.
    @Test(arguments: 0..<200) func anything(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let places =
            Self.thirdMachines + [
                "/x", "?y", "", "https://h:8443/z", "https://H:8443", "http://h:8443/", ":", "//h:8443/q",
            ]
        let bodies = ["", "v=0", String(repeating: "a", count: WHIPResponse.maximumBody + 1)]
        var stage = try Stage()
        var outputs = stage.handle(.offer("v=0"))
        var requests = 0
        for _ in 0..<50 where !stage.exchange.isOver {
            #expect(heldBytes(stage.exchange) < Self.mostHeld)
            for case .send(let request) in outputs {
                requests += 1
                #expect(
                    request.target.description == "https://h:8443" || request.target.description == "https://H:8443")
            }
            outputs =
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: stage.handle(.end)
                case 1: stage.wait()
                case 2: stage.handle(.broken(.lost))
                default:
                    stage.answer(
                        [200, 201, 201, 307, 308, 404, 503].randomElement(using: &generator) ?? 201,
                        [
                            ("Location", places.randomElement(using: &generator) ?? ""),
                            ("Content-Type", ["application/sdp", "text/html"].randomElement(using: &generator) ?? ""),
                        ] + (Bool.random(using: &generator) ? Self.manyServers : []),
                        body: bodies.randomElement(using: &generator) ?? "")
                }
        }
        #expect(requests > 0)
    }

    @Test("the candidates of a server of the Internet lead nowhere else") func candidates() {
        let lines = [
            "v=0", "m=video 9 UDP/TLS/RTP/SAVPF 96", "a=candidate:1 1 udp 1 8.8.8.8 5000 typ host",
            "a=candidate:2 1 udp 1 127.0.0.1 53 typ host",
            "a=candidate:3 1 tcp 1 192.168.1.1 80 typ host tcptype passive",
            "a=candidate:4 1 udp 1 printer.local 9100 typ host", "a=candidate:5 1 udp 1 ::ffff:10.0.0.1 80 typ host",
            "a=candidate:6", "a=end-of-candidates", "",
        ]
        let answer = WHIPAnswer(sdp: lines.joined(separator: "\r\n"), servers: [])
        let kept = [lines[0], lines[1], lines[2], lines[8], lines[9]].joined(separator: "\r\n")
        #expect(answer.description(from: IPAddress("8.8.4.4")) == kept)
        #expect(answer.description(from: nil) == kept)
        #expect(answer.description(from: IPAddress("192.168.1.5")) == answer.sdp)
        let plain = WHIPAnswer(sdp: lines.joined(separator: "\n"), servers: [])
        #expect(plain.description(from: nil) == kept)
    }

    @Test("goes nowhere without TLS from where it is, nor round in circles") func badRedirections() throws {
        var stage = try Stage()
        _ = stage.handle(.offer("v=0"))
        #expect(isFailure(stage.answer(307, [("Location", "http://h/whip")]), .untrusted))

        stage = try Stage()
        _ = stage.handle(.offer("v=0"))
        #expect(isFailure(stage.answer(201, [("Location", "http://h/1"), Self.good[0]], body: "v=0"), .untrusted))

        stage = try Stage()
        _ = stage.handle(.offer("v=0"))
        for _ in 0..<WHIPExchange.mostRedirections { _ = try stage.request(stage.answer(308, [("Location", "/x")])) }
        #expect(isFailure(stage.answer(308, [("Location", "/x")]), .incompatible))

        for fields in [[], [("Location", "ftp://x/")], [("Location", "/a b")]] {
            stage = try Stage()
            _ = stage.handle(.offer("v=0"))
            #expect(isFailure(stage.answer(307, fields), .incompatible))
        }
    }

    @Test(
        "says what a status means",
        arguments: [
            (401, .unauthorized), (403, .unauthorized), (404, .notFound), (410, .notFound), (405, .incompatible),
            (415, .incompatible), (422, .incompatible), (406, .incompatible), (200, .incompatible),
            (204, .incompatible), (301, .incompatible), (302, .incompatible), (303, .incompatible), (400, .refused),
            (413, .refused), (418, .refused), (99, .refused), (1000, .refused), (408, .busy), (409, .busy),
            (429, .busy), (500, .busy), (502, .busy), (503, .busy), (504, .busy), (501, .incompatible),
        ] as [(Int, BroadcastFailure.Kind)])
    func status(status: Int, kind: BroadcastFailure.Kind) throws {
        var stage = try Stage()
        _ = stage.handle(.offer("v=0"))
        let outputs = stage.answer(status, [("Location", "/x")])
        #expect(isFailure(outputs, kind), "\(outputs)")
        #expect(stage.exchange.isOver)
        #expect(stage.handle(.end) == [])
    }

    @Test(
        "takes the wait that a busy server asks for",
        arguments: [
            ("30", Duration.seconds(30)), ("0", .zero), ("Wed, 21 Oct 2026 07:28:00 GMT", nil), ("-1", nil),
            ("9999999", nil), ("", nil),
        ] as [(String, Duration?)])
    func retryAfter(text: String, expected: Duration?) throws {
        var stage = try Stage()
        _ = stage.handle(.offer("v=0"))
        guard case .failed(let failure)? = stage.answer(503, [("Retry-After", text)]).first else {
            Issue.record("no failure")
            return
        }
        #expect(failure.retryAfter == expected)
        #expect(!failure.isFinal)
    }

    @Test("an answer that nothing can be made of is the end, and its session is ended")
    func badAnswers() throws {
        var stage = try Stage()
        _ = stage.handle(.offer("v=0"))
        #expect(isFailure(stage.answer(201, [Self.good[0]], body: "v=0"), .incompatible))
        let large = String(repeating: "a", count: WHIPResponse.maximumBody + 1)
        for (type, body) in [("text/html", "v=0"), ("", "v=0"), ("application/sdp", ""), ("application/sdp", large)] {
            stage = try Stage()
            _ = stage.handle(.offer("v=0"))
            let end = try stage.request(stage.answer(201, [Self.good[1], ("Content-Type", type)], body: body))
            #expect(end.method == .delete)
            #expect(isFailure(stage.answer(200), .incompatible))
        }
        stage = try Stage()
        _ = stage.handle(.offer("v=0"))
        let fields = [Self.good[1], ("content-type", "Application/SDP; charset=utf-8")]
        #expect(stage.answer(201, fields, body: "v=0").count == 1)
        #expect(!stage.exchange.isOver)
    }

    @Test("gives up an offer that nobody answers") func silence() throws {
        var stage = try Stage()
        _ = stage.handle(.offer("v=0"))
        let begin = stage.now
        let outputs = stage.wait()
        #expect(outputs.first == .cancel)
        #expect(isFailure(Array(outputs.dropFirst()), .unreachable))
        #expect(stage.now - begin == WHIPSettings().answerTimeout)
        #expect(stage.exchange.deadline == nil)
    }

    @Test("gives up an end that nobody answers") func silentEnd() throws {
        var stage = try Stage()
        _ = stage.handle(.offer("v=0"))
        _ = stage.answer(201, Self.good, body: "v=0")
        _ = stage.handle(.end)
        let begin = stage.now
        #expect(stage.wait() == [.cancel, .ended])
        #expect(stage.now - begin == WHIPSettings().endTimeout)
    }

    @Test("ended while it offers, it waits for the answer, to end what that has opened") func endsEarly() throws {
        var stage = try Stage()
        _ = stage.handle(.offer("v=0"))
        #expect(stage.handle(.end) == [])
        let end = try stage.request(stage.answer(201, Self.good, body: "v=0"))
        #expect(end.method == .delete)
        #expect(stage.answer(404) == [.ended])

        stage = try Stage()
        _ = stage.handle(.offer("v=0"))
        _ = stage.handle(.end)
        #expect(stage.answer(503) == [.ended])

        stage = try Stage()
        _ = stage.handle(.offer("v=0"))
        _ = stage.handle(.end)
        #expect(stage.wait() == [.cancel, .ended])

        stage = try Stage()
        #expect(stage.handle(.end) == [.ended])
        #expect(stage.handle(.offer("v=0")) == [])
    }

    @Test(
        arguments: [
            (.unresolved, .unresolved), (.unreachable, .unreachable), (.lost, .lost), (.malformed, .incompatible),
            (.untrusted, .untrusted), (.wrongCertificate, .untrusted), (.noTLS, .incompatible),
        ] as [(WHIPBreak, BroadcastFailure.Kind)])
    func broken(why: WHIPBreak, kind: BroadcastFailure.Kind) throws {
        var stage = try Stage()
        _ = stage.handle(.offer("v=0"))
        #expect(isFailure(stage.handle(.broken(why)), kind))
    }

    @Test("reads the servers that are named") func servers() throws {
        var stage = try Stage()
        _ = stage.handle(.offer("v=0"))
        let links = [
            ("Link", "<stun:stun.example.net>; rel=\"ice-server\""),
            (
                "Link",
                "<turn:turn.example.net?transport=udp>; rel=\"ice-server\"; username=\"us,er\"; credential=\"pa\\\"ss;\"; "
                    + "credential-type=\"password\" , <turns:turn.example.net>;rel=ice-server;username=u;credential=p"
            ),
            ("Link", "<https://h/events>; rel=\"urn:ietf:params:whip:ext:core:server-sent-events\""),
            ("Link", "<turn:oauth>; rel=\"ice-server\"; credential-type=\"oauth\""),
            ("Link", "<javascript:x>; rel=\"ice-server\""), ("Link", "broken <stun:x>; rel=ice-server"),
            ("Link", "<stun:unended; rel=ice-server"), ("Link", "<stun:q>; rel=\"ice-server"),
        ]
        guard case .answered(let answer)? = stage.answer(201, Self.good + links, body: "v=0").first else {
            Issue.record("no answer")
            return
        }
        #expect(
            answer.servers.map(\.url) == [
                "stun:stun.example.net", "turn:turn.example.net?transport=udp", "turns:turn.example.net",
            ])
        #expect(answer.servers.map(\.username) == ["", "us,er", "u"])
        #expect(answer.servers.map { String(decoding: $0.password.bytes, as: UTF8.self) } == ["", "pa\"ss;", "p"])
        #expect(!"\(answer)".contains("pa\"ss"))
    }

    @Test("takes no more servers than it needs") func manyServers() throws {
        var stage = try Stage()
        _ = stage.handle(.offer("v=0"))
        let links = (0..<100).map { ("Link", "<stun:s\($0)>; rel=\"ice-server\", <stun:t\($0)>; rel=\"ice-server\"") }
        guard case .answered(let answer)? = stage.answer(201, Self.good + links, body: "v=0").first else {
            Issue.record("no answer")
            return
        }
        #expect(answer.servers.count == WHIPServer.limit)
    }
}
