import HelioCore
import HelioSignaling
import HelioTestLanes
import Testing

/// Which origins may open a WebSocket, and under which names the page is served (docs/web/protocol.md, "The page").
@Suite("Which pages may talk to the host", .timeLimit(.minutes(1)), .tags(.quiet))
struct AdmissionTests {
    static let ownNames = [
        "localhost", "LOCALHOST:8080", "127.0.0.1", "192.0.2.7:8080", "[::1]", "[2001:db8::7]:443", "sundial",
        "Sundial.local:8080", "sundial.example", "sundial.fritz.box:8080", "sundial.lan", "sundial.home.arpa",
    ]

    @Test("the machine's addresses and names will do, at any port", arguments: ownNames)
    func ownName(host name: String) async throws {
        let host = try await EchoHost()
        #expect(try await host.client().ask(host: name).status == 200)
        let client = try await host.client()
        try await client.upgrade(host: name)
        await host.service.stop()
    }

    static let foreignNames = [
        "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "local", "evil.local",
        "sundial.evil.example", "0.0.0.0", "[::]:8080", "127.1", "0x7f.1", "2130706433", "[::1", "::1", "[127.0.0.1]",
        "localhost:", "lan", "evil.lan", "x.sundial.lan", "sundial.fritz.box.evil.example", "localhost:80a",
        "localhost:99999", "localhost:8080:8080", "user@localhost", "localhost/x", "",
        " ", "[::1]x", "[fe80::1%25eth0]", "localhost, evil.example",
    ]

    @Test("any other name is refused, as somebody may have made it lead here", arguments: foreignNames)
    func foreignName(host name: String) async throws {
        let host = try await EchoHost()
        let answer = try await host.client().ask(host: name)
        #expect(answer.status == 403 && answer.text.contains("IP address"))
        let client = try await host.client()
        try await client.send(RawClient.upgrade(host: name, origin: "http://\(name)"))
        #expect(try await client.answer().status == 403)
        #expect(await client.readAll().isEmpty)
        #expect(await host.drops() == ["foreign-host": 2])
        await host.service.stop()
    }

    static let foreignOrigins: [String?] = [
        nil, "", "null", "http://evil.example", "https://localhost:8080", "http://localhost", "http://localhost:8081",
        "http://127.0.0.1:8080", "localhost:8080", "http://localhost:8080/", "http://localhost:8080.evil.example",
        "http://localhost:8080, http://localhost:8080", "file://", "ws://localhost:8080",
    ]

    @Test("another site's page may not talk", arguments: foreignOrigins)
    func foreignOrigin(origin: String?) async throws {
        let host = try await EchoHost()
        let client = try await host.client()
        try await client.send(RawClient.upgrade(host: "localhost:8080", origin: origin))
        #expect(try await client.answer().status == 403)
        #expect(await client.readAll().isEmpty)
        #expect(await host.drops() == ["foreign-origin": 1])
        #expect(await host.service.statistics().talking == 0)
        await host.service.stop()
    }

    static let allowed = ["desk.example.org", "*.tail.example.net"]
    static let names: [(String, Bool)] = [
        ("desk.example.org", true), ("DESK.example.org:8443", true), ("x.desk.example.org", false),
        ("a.tail.example.net", true), ("a.b.tail.example.net:1", true), ("tail.example.net", false),
        ("eviltail.example.net", false), ("example.org", false), ("desk.example.org.evil.example", false),
    ]

    @Test("a name that the person has allowed will do, and its pages may connect by any scheme", arguments: names)
    func allowedName(name: String, isAllowed: Bool) async throws {
        let host = try await EchoHost { $0.allowedNames = Self.allowed }
        #expect(try await host.client().ask(host: name).status == (isAllowed ? 200 : 403))
        // A TLS proxy passes on the requested name, or requests by its own.
        for own in [name, "127.0.0.1:8080"] {
            let client = try await host.client()
            try await client.send(RawClient.upgrade(host: own, origin: "https://\(name)"))
            let head = try await client.readHead()
            #expect(head.hasPrefix("HTTP/1.1 101 ") == isAllowed, "\(own)")
        }
        await host.service.stop()
    }

    @Test(
        "what no proxy is believed, a proxy that was named is: scheme, host and the viewer's address",
        arguments: [true, false])
    func proxy(isNamed: Bool) async throws {
        let host = try await EchoHost { if isNamed { $0.proxies = [.v4(0x7F00_0001)] } }
        let lines = [
            "X-Forwarded-Proto: https", "X-Forwarded-Host: evil.example, desk.example.org",
            "X-Forwarded-For: 198.51.100.1, 192.0.2.9",
        ]
        let page = try await host.client().ask(host: "127.0.0.1:8080", lines)
        #expect(page.status == 200)
        let policy = page.headers["content-security-policy"] ?? ""
        #expect(policy.contains("wss://desk.example.org") == isNamed && policy.contains("evil.example") == false)
        let client = try await host.client()
        let request = RawClient.upgrade(host: "127.0.0.1:8080", origin: "https://desk.example.org")
        try await client.send(
            request.replacing("\r\n\r\n", with: "\r\n" + (lines + ["", ""]).joined(separator: "\r\n")))
        #expect(try await client.readHead().hasPrefix("HTTP/1.1 101 ") == isNamed)
        if isNamed {
            guard case .opened(_, let address)? = await host.event() else {
                Issue.record("nobody came")
                return
            }
            #expect(address == "192.0.2.9")
        }
        // A page of another site is rejected behind a proxy too.
        let stranger = try await host.client()
        let foreign = RawClient.upgrade(host: "127.0.0.1:8080", origin: "https://evil.example")
        try await stranger.send(
            foreign.replacing("\r\n\r\n", with: "\r\n" + (lines + ["", ""]).joined(separator: "\r\n")))
        #expect(try await stranger.answer().status == 403)
        await host.service.stop()
    }

    @Test("a proxy that passes on plain HTTP can't make a foreign name this machine's")
    func rebinding() async throws {
        let host = try await EchoHost { $0.proxies = [.v4(0x7F00_0001)] }
        for lines in [
            ["X-Forwarded-Host: evil.example"], ["X-Forwarded-Host: evil.example", "X-Forwarded-Proto: http"],
            ["X-Forwarded-Host: evil example", "X-Forwarded-Proto: https"],
        ] {
            #expect(try await host.client().ask(host: "127.0.0.1", lines).status == 403)
        }
        await host.service.stop()
    }

    static let malformedRequests: [(String, Int)] = [
        (RawClient.request("GET", "/signaling"), 426),
        (RawClient.upgrade(version: "8"), 426),
        (RawClient.upgrade(connection: "keep-alive"), 426),
        (RawClient.upgrade().replacing("Upgrade: websocket", with: "Upgrade: h2c"), 426),
        (RawClient.upgrade(key: ""), 400),
        (RawClient.upgrade(key: "dGhlIHNhbXBsZSBub25jZQ"), 400),
        (RawClient.upgrade(key: "dGhlIHNhbXBsZSBub25jZQ=a"), 400),
        (RawClient.upgrade(key: "dGhlIHNhbXBsZSBub25jZ!=="), 400),
        (
            RawClient.upgrade().replacing("\r\n\r\n", with: "\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"),
            400
        ),
        (RawClient.upgrade().replacing("HTTP/1.1", with: "HTTP/1.0"), 400),
    ]

    @Test("what is no WebSocket is refused", arguments: malformedRequests.indices)
    func malformed(index: Int) async throws {
        let (request, status) = Self.malformedRequests[index]
        let host = try await EchoHost()
        let client = try await host.client()
        try await client.send(request)
        #expect(try await client.answer().status == status)
        #expect(await client.readAll().isEmpty)
        #expect(await host.drops() == ["bad-upgrade": 1])
        await host.service.stop()
    }

    @Test("nothing but GET opens one", arguments: ["HEAD", "POST"])
    func method(method: String) async throws {
        let host = try await EchoHost()
        let client = try await host.client()
        try await client.send(RawClient.upgrade().replacing("GET", with: method))
        #expect(try await client.answer(hasContent: method != "HEAD").status == 405)
        #expect(await host.drops() == ["method-not-allowed": 1])
        await host.service.stop()
    }
}
