import HelioSignaling
import HelioTestLanes
import Testing

/// Who may open a WebSocket, and by which name the page may be opened (docs/web/protocol.md, "The page").
@Suite("Which pages may talk to the host", .timeLimit(.minutes(1)), .tags(.quiet))
struct AdmissionTests {
    static let ownNames = [
        "localhost", "LOCALHOST:8080", "127.0.0.1", "192.0.2.7:8080", "[::1]", "[2001:db8::7]:443", "sundial",
        "Sundial.local:8080", "sundial.example",
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
        "localhost:", "localhost:80a", "localhost:99999", "localhost:8080:8080", "user@localhost", "localhost/x", "",
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
