import HelioCore
import HelioRendezvousServer
import HelioSignaling
import HelioTestLanes
import Testing

@Suite("The page for browsers at a rendezvous server", .timeLimit(.minutes(1)), .tags(.quiet))
struct PageTests {
    private static let script = Array("'use strict'".utf8)
    private static let files = [
        PageFile(
            path: "", bytes: Array("<!doctype html>".utf8), type: "text/html; charset=utf-8",
            gzipped: [0x1F, 0x8B, 8], inlineScripts: [script]),
        PageFile(path: "manifest.webmanifest", bytes: Array("{}".utf8), type: "application/json"),
        PageFile(path: "parts/worker.js", bytes: script, type: "text/javascript; charset=utf-8"),
    ]

    private static func ask(
        _ service: Service, _ path: String, method: String = "GET", _ lines: [String] = []
    ) async throws -> (status: Int, body: String, head: String) {
        try await HTTPClient.ask(HTTPClient.request(path, method: method, lines), port: service.port)
    }

    @Test("It is at / and at any name of one part, and its files are where it looks for them")
    func paths() async throws {
        let service = try await Service { $0.page = Self.files }
        for path in ["/", "/office", "/a-b_c", "/?picture=own", "/office?x=1/2.3"] {
            let answer = try await Self.ask(service, path)
            #expect(answer.status == 200 && answer.body == "<!doctype html>", "\(path)")
        }
        #expect(try await Self.ask(service, "/parts/worker.js").body == "'use strict'")
        #expect(try await Self.ask(service, "/manifest.webmanifest").head.contains("application/json"))
        for path in ["/other.js", "/office/", "/a/b", "//", "/.."] {
            #expect(try await Self.ask(service, path).status == 404, "\(path)")
        }
        // The paths of devices and of observers stay theirs.
        #expect(try await Self.ask(service, "/health").body == "ok\n")
        #expect(try await Self.ask(service, "/device").status == 426)
        await service.stop()
    }

    @Test("Its headers restrict it to what it needs: its own files, and its own server's WebSocket")
    func headers() async throws {
        let service = try await Service { $0.page = Self.files }
        let head = try await Self.ask(service, "/").head
        let policy = try #require(head.split(separator: "\r\n").first { $0.hasPrefix("Content-Security-Policy: ") })
        #expect(policy.contains("default-src 'none'"))
        #expect(policy.contains("script-src 'self' 'sha256-"))
        #expect(policy.contains("connect-src 'self' ws://localhost;"))
        #expect(policy.contains("frame-ancestors 'none'"))
        for line in [
            "Cache-Control: no-cache", "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
            "Cross-Origin-Opener-Policy: same-origin", "Content-Type: text/html; charset=utf-8",
            "Vary: Accept-Encoding", "Connection: close",
        ] { #expect(head.contains(line), "\(line)") }
        await service.stop()
    }

    @Test("Behind a proxy with HTTPS it may connect to the proxy's name by TLS")
    func proxy() async throws {
        let service = try await Service {
            $0.page = Self.files
            $0.proxies = [.v4(0x7F00_0001)]
            $0.names = ["meet.example.org"]
        }
        let lines = ["X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: https", "X-Forwarded-Host: meet.example.org"]
        let answer = try await Self.ask(service, "/", lines)
        #expect(answer.status == 200)
        #expect(answer.head.contains("connect-src 'self' wss://meet.example.org;"))
        let foreign = try await Self.ask(
            service, "/", ["X-Forwarded-For: 192.0.2.1", "X-Forwarded-Host: evil.example.org"])
        #expect(foreign.status == 421 && foreign.body.hasPrefix("421"))
        await service.stop()
    }

    @Test("A browser asks each time whether it has changed, and gets it small")
    func caching() async throws {
        let service = try await Service { $0.page = Self.files }
        let first = try await Self.ask(service, "/")
        let tag = try #require(
            first.head.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") }?.dropFirst("ETag: ".count))
        let again = try await Self.ask(service, "/", ["If-None-Match: \(tag)"])
        #expect(again.status == 304 && again.body.isEmpty)
        let small = try await Self.ask(service, "/", method: "HEAD", ["Accept-Encoding: gzip"])
        #expect(small.status == 200 && small.body.isEmpty)
        #expect(small.head.contains("Content-Encoding: gzip") && small.head.contains("Content-Length: 3"))
        await service.stop()
    }

    @Test("Only reading is allowed, and a server without a page has none")
    func refusals() async throws {
        let service = try await Service { $0.page = Self.files }
        #expect(try await Self.ask(service, "/", method: "POST").status == 405)
        #expect(await service.drops()["method-not-allowed"] == 1)
        await service.stop()
        let bare = try await Service()
        #expect(try await Self.ask(bare, "/").status == 404)
        #expect(try await Self.ask(bare, "/office").status == 404)
        await bare.stop()
    }

    @Test("Who asks for too many bytes of it has to wait")
    func budget() async throws {
        let large = PageFile(path: "large.bin", bytes: [UInt8](repeating: 7, count: 15 << 20), type: "image/png")
        let service = try await Service { $0.page = Self.files + [large] }
        var statuses: [Int] = []
        // Each answer that begins within the limit, 16 MB, is sent.
        for _ in 0..<3 { statuses.append(try await Self.ask(service, "/large.bin").status) }
        #expect(statuses == [200, 200, 429])
        let refused = try await Self.ask(service, "/")
        #expect(refused.status == 429 && refused.head.contains("Retry-After: 60"))
        #expect(await service.drops()["too-much-asked"] == 2)
        #expect(try await Self.ask(service, "/health").status == 200)
        await service.stop()
    }
}
