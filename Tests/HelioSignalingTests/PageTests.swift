import HelioSignaling
import HelioTestLanes
import HelioTestPrograms
import Testing

@Suite("The page's files by HTTP", .timeLimit(.minutes(1)), .tags(.quiet))
struct PageTests {
    @Test("files are served as they are, one after the other by one connection")
    func files() async throws {
        let host = try await EchoHost()
        let client = try await host.client()
        for (target, file) in [("/", 0), ("/index.html", 0), ("/main.js", 1), ("/parts/large.bin", 2)] {
            let answer = try await client.ask("GET", target)
            #expect(answer.status == 200)
            #expect(answer.content == EchoHost.contents[file])
            #expect(answer.headers["content-type"] == EchoHost.files[file].type)
            #expect(answer.headers["connection"] == nil)
        }
        let statistics = await host.service.statistics()
        #expect(statistics.connections == 1 && statistics.talking == 0 && statistics.requests == 4)
        #expect(statistics.drops.isEmpty)
        await host.service.stop()
        #expect(await client.readAll().isEmpty)
    }

    @Test("a browser is told to let the page do nothing but its work")
    func headers() async throws {
        let host = try await EchoHost()
        let answer = try await host.client().ask(host: "192.0.2.1:8080")
        let policy = answer.headers["content-security-policy"] ?? ""
        for part in [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'",
            "form-action 'none'", "connect-src 'self' ws://192.0.2.1:8080;",
        ] { #expect(policy.contains(part), "\(part) in \(policy)") }
        #expect(!policy.contains("unsafe"))
        #expect(answer.headers["x-content-type-options"] == "nosniff")
        #expect(answer.headers["referrer-policy"] == "no-referrer")
        // On plain HTTP, browsers ignore this header for untrustworthy origins.
        #expect(answer.headers["cross-origin-opener-policy"] == nil)
        #expect(answer.headers["cross-origin-resource-policy"] == "same-origin")
        #expect(answer.headers["cache-control"] == "no-cache")
        #expect(answer.headers["permissions-policy"]?.contains("camera=()") == true)
        #expect(answer.headers["date"]?.hasSuffix(" GMT") == true)
        #expect(answer.headers["server"] == nil)
        // This host name can't be written in a policy, so 'self' must suffice.
        let other = try await host.client().ask(host: "[::1]:8080")
        #expect(other.headers["cross-origin-opener-policy"] == "same-origin")
        for place in ["127.0.0.1:8080", "LOCALHOST", "localhost:1"] {
            let answer = try await host.client().ask(host: place)
            #expect(answer.headers["cross-origin-opener-policy"] == "same-origin", "\(place)")
        }
        #expect(other.headers["content-security-policy"]?.contains("connect-src 'self';") == true)
        await host.service.stop()
    }

    @Test("HEAD tells the same without the content")
    func head() async throws {
        let host = try await EchoHost()
        let client = try await host.client()
        let head = try await client.ask("HEAD", "/main.js")
        let get = try await client.ask("GET", "/main.js")
        #expect(head.status == 200 && head.headers["content-length"] == "12" && head.content.isEmpty)
        #expect(head.headers["etag"] == get.headers["etag"] && get.headers["etag"] != nil)
        await host.service.stop()
    }

    @Test("what a browser has already is not sent again")
    func notModified() async throws {
        let host = try await EchoHost()
        let client = try await host.client()
        let tag = try #require(try await client.ask().headers["etag"])
        #expect(tag.first == "\"" && tag.last == "\"" && tag.count == 34)
        for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
            let answer = try await client.ask("GET", "/", ["If-None-Match: \(known)"])
            #expect(answer.status == 304 && answer.content.isEmpty && answer.headers["etag"] == tag)
            #expect(answer.headers["cache-control"] == "no-cache")
        }
        for other in ["\"other\"", tag.replacing("\"", with: ""), ""] {
            #expect(try await client.ask("GET", "/", ["If-None-Match: \(other)"]).status == 200)
        }
        #expect(try await client.ask("GET", "/main.js", ["If-None-Match: \(tag)"]).status == 200)
        await host.service.stop()
    }

    static let absent = [
        "/nothing", "/index.html/", "/Index.html", "//index.html", "/./index.html", "/../index.html", "/main.js?x=1",
        "//?x=1", "/..?x=1", "/../../../../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd",
        "/%69ndex.html", "/index.html%00.js", "/..\\..\\etc\\passwd", "/parts", "/parts/", "/parts/../main.js",
        "/signaling/", "/signaling?x", "/favicon.ico",
    ]

    @Test("a query is for the page's scripts: the page is the same", arguments: ["/?x=1", "/?", "/index.html?x=/../y"])
    func query(target: String) async throws {
        let host = try await EchoHost()
        let client = try await host.client()
        let page = try await client.ask("GET", String(target.prefix { $0 != "?" }))
        let answer = try await client.ask("GET", target)
        #expect(answer.status == 200 && answer.content == page.content)
        await host.service.stop()
    }

    @Test("all else is not there, and no way leads out", arguments: absent)
    func notFound(target: String) async throws {
        let host = try await EchoHost()
        let client = try await host.client()
        let answer = try await client.ask("GET", target)
        #expect(answer.status == 404 && answer.text == "Not found.\n")
        #expect(answer.headers["content-security-policy"]?.contains("default-src 'none'") == true)
        #expect(answer.headers["x-content-type-options"] == "nosniff")
        #expect(await host.drops() == ["not-found": 1])
        // A browser continues on the same connection.
        #expect(try await client.ask().status == 200)
        await host.service.stop()
    }

    @Test(
        "nothing can be done with a file but read it",
        arguments: ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"])
    func methods(method: String) async throws {
        let host = try await EchoHost()
        let client = try await host.client()
        let answer = try await client.ask(method, "/", method == "POST" ? ["Content-Length: 5"] : [])
        #expect(answer.status == 405 && answer.headers["allow"] == "GET, HEAD")
        #expect(answer.headers["connection"] == "close")
        #expect(await client.readAll().isEmpty)
        #expect(await host.drops() == ["method-not-allowed": 1])
        await host.service.stop()
    }

    @Test("a large request that is refused does not cost its sender the answer")
    func largeContent() async throws {
        let host = try await EchoHost { $0.closeTimeout = .seconds(10) }
        let client = try await host.client()
        client.post(Array(RawClient.request("POST", "/", ["Content-Length: 4000000"]).utf8))
        client.post([UInt8](repeating: 65, count: 4_000_000))
        #expect(try await client.answer().status == 405)
        #expect(await client.readAll().isEmpty)
        await host.service.stop()
    }

    static let malformedRequests: [(String, Int)] = [
        ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
        ("GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        ("GET * HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx", 400),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx", 400),
        ("GET / HTTP/2.0\r\nHost: localhost\r\n\r\n", 400),
        ("CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
        ("NONSENSE\r\n\r\n", 400),
        ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}", 400),
        ("GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: 9000))\r\n\r\n", 431),
        ("GET /\(String(repeating: "x", count: 20_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: localhost\r\n\(String(repeating: "X: x\r\n", count: 65))\r\n", 431),
    ]

    @Test("what is no request is refused", arguments: malformedRequests.indices)
    func malformed(index: Int) async throws {
        let (bytes, status) = Self.malformedRequests[index]
        let host = try await EchoHost()
        let client = try await host.client()
        try await client.send(bytes)
        let answer = try await client.answer()
        #expect(answer.status == status && answer.headers["connection"] == "close")
        #expect(await client.readAll().isEmpty)
        #expect(await host.drops() == ["malformed-request": 1])
        await host.service.stop()
    }

    @Test("requests without end come to one", arguments: [("GET /", "/"), ("GET / HTTP/1.1", "\r\nX: ")])
    func endless(start: String, piece: String) async throws {
        let host = try await EchoHost()
        let client = try await host.client()
        client.post(Array(start.utf8))
        for _ in 0..<40 { client.post(Array(String(repeating: piece, count: 1000).utf8)) }
        let head = try await client.readHead()
        #expect(head.hasPrefix("HTTP/1.1 4"))
        await client.closed()
        #expect(await host.drops() == ["malformed-request": 1])
        await host.service.stop()
    }

    @Test("some requests at once are answered in their order, too many are not")
    func pipelining() async throws {
        let host = try await EchoHost()
        let client = try await host.client()
        try await client.send(
            ["/main.js", "/nothing", "/", "/parts/large.bin"].map { RawClient.request("GET", $0) }.joined())
        var lengths: [Int] = []
        for _ in 0..<4 { lengths.append(try await client.answer().content.count) }
        #expect(lengths == [12, 11, 15, 300_000])
        // The client never reads the responses.
        let greedy = try await host.client(reads: false)
        greedy.post(Array(String(repeating: RawClient.request("GET", "/parts/large.bin"), count: 200).utf8))
        await greedy.closed()
        #expect(await host.drops() == ["not-found": 1, "too-many-requests": 1])
        await host.service.stop()
    }

    @Test("HTTP/1.0, and who says so, gets one answer by a connection")
    func closing() async throws {
        let host = try await EchoHost()
        for request in [
            "GET /main.js HTTP/1.0\r\nHost: localhost\r\n\r\n",
            "GET /main.js HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n",
            RawClient.request("GET", "/main.js", ["Connection: close"]),
            // The request of curl --http2.
            RawClient.request(
                "GET", "/main.js",
                ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"]),
        ] {
            let client = try await host.client()
            try await client.send(request)
            let answer = try await client.answer()
            #expect(answer.status == 200 && answer.headers["connection"] == "close" && answer.content.count == 12)
            #expect(await client.readAll().isEmpty)
        }
        await host.service.stop()
    }

    @Test("a request that comes drop by drop does not hold its place")
    func slowRequest() async throws {
        // Long enough for a machine that stalls for a moment: a regular request must be served within it.
        let host = try await EchoHost { $0.requestTimeout = .seconds(1) }
        let silent = try await host.client()
        let slow = try await host.client()
        try await slow.send("GET / HTTP/1.1\r\nHost: local")
        for client in [silent, slow] { #expect(await client.readAll().isEmpty) }
        #expect(await host.drops() == ["slow-request": 2])
        // An idle connection after a response is closed too, without counting as a nuisance.
        let idle = try await host.client()
        #expect(try await idle.ask().status == 200)
        #expect(await idle.readAll().isEmpty)
        #expect(await host.drops() == ["slow-request": 2])
        await host.service.stop()
    }

    @Test("an answer that nobody reads does not hold its place")
    func unread() async throws {
        let large = PageFile(path: "huge", bytes: [UInt8](repeating: 7, count: 12 << 20), type: "image/png")
        let host = try await EchoHost {
            $0.answerTimeout = .milliseconds(200)
            $0.files = [large]
        }
        let client = try await host.client(reads: false)
        try await client.send(RawClient.request("GET", "/huge"))
        await client.closed()
        #expect(await host.drops() == ["unread": 1])
        await host.service.stop()
    }

    @Test("who hangs up in the midst of a request is no drop")
    func hangingUp() async throws {
        let host = try await EchoHost()
        let client = try await host.client()
        try await client.send("GET / HTTP/1.1\r\nHo")
        await client.close()
        let other = try await host.client()
        #expect(try await other.ask().status == 200)
        try await eventually("one connection is left") { await host.service.statistics().connections == 1 }
        #expect(await host.drops().isEmpty)
        await host.service.stop()
    }
}
