import HelioSignaling
import HelioTestLanes
import Testing

@Suite("The page as one answer, by gzip", .timeLimit(.minutes(1)), .tags(.quiet))
struct BundledPageTests {
    private static let script = "'use strict'"
    private static let style = "body { color: rgb(1, 2, 3) }"
    private static let page = "<style>\(style)</style><script type=\"module\">\(script)</script>"
    /// Arbitrary content, which is not decompressed.
    private static let gzipped: [UInt8] = [0x1F, 0x8B, 8, 0, 1, 2, 3]

    private static func host() async throws -> EchoHost {
        try await EchoHost {
            $0.files.append(
                PageFile(
                    path: "", bytes: Array(page.utf8), type: "text/html; charset=utf-8", gzipped: gzipped,
                    inlineScripts: [Array(script.utf8)], inlineStyles: [Array(style.utf8)]))
        }
    }

    @Test("it is / itself, and the page that names its files stays beside it")
    func root() async throws {
        let host = try await Self.host()
        let client = try await host.client()
        #expect(try await client.ask().text == Self.page)
        #expect(try await client.ask("GET", "/index.html").content == EchoHost.contents[0])
        #expect(try await client.ask("GET", "/main.js").content == EchoHost.contents[1])
        await host.service.stop()
    }

    @Test("what stands in it is allowed by its hash, there alone")
    func policy() async throws {
        let host = try await Self.host()
        let client = try await host.client()
        let policy = try await client.ask().headers["content-security-policy"] ?? ""
        // The hashes of the above texts by OpenSSL's program.
        #expect(policy.contains("script-src 'self' 'sha256-eRtaeqcVFyPImuIFClNdaosAhRufChL7+dumku9g1ew=';"))
        #expect(policy.contains("style-src 'self' 'sha256-pfMXHhnceXNmx1IZz/vWBJR2uUTZzlOev0K6vaNH9lI=';"))
        #expect(!policy.contains("unsafe"))
        for other in ["/index.html", "/main.js", "/nothing"] {
            let policy = try await client.ask("GET", other).headers["content-security-policy"] ?? ""
            #expect(policy.contains("script-src 'self'; style-src 'self';"), "\(other): \(policy)")
        }
        await host.service.stop()
    }

    static let encodings: [(line: String?, isGzipped: Bool)] = [
        (nil, false), ("gzip", true), ("gzip, deflate, br, zstd", true), ("br;q=1.0, GZIP;q=0.8, *;q=0.1", true),
        ("x-gzip", true), ("gzip;q=0", false), ("gzip ; q=0.000, *", false), ("identity", false), ("*", false),
        ("", false),
    ]

    @Test("gzip goes to those who name it, and caches are told", arguments: encodings.indices)
    func encoding(index: Int) async throws {
        let (line, isGzipped) = Self.encodings[index]
        let lines = line.map { ["Accept-Encoding: \($0)"] } ?? []
        let host = try await Self.host()
        let client = try await host.client()
        let answer = try await client.ask("GET", "/", lines)
        #expect(answer.status == 200 && answer.headers["vary"] == "Accept-Encoding")
        #expect(answer.headers["content-encoding"] == (isGzipped ? "gzip" : nil))
        #expect(answer.content == (isGzipped ? Self.gzipped : Array(Self.page.utf8)))
        #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
        let head = try await client.ask("HEAD", "/", lines)
        #expect(head.headers["content-length"] == "\(answer.content.count)")
        #expect(head.headers["etag"] == answer.headers["etag"])
        // Content in a single form is sent in that form.
        let plain = try await client.ask("GET", "/main.js", lines)
        #expect(plain.content == EchoHost.contents[1])
        #expect(plain.headers["content-encoding"] == nil && plain.headers["vary"] == nil)
        await host.service.stop()
    }

    @Test("each form has a tag of its own")
    func tags() async throws {
        let host = try await Self.host()
        let client = try await host.client()
        let gzip = "Accept-Encoding: gzip"
        let plain = try #require(try await client.ask().headers["etag"])
        let small = try #require(try await client.ask("GET", "/", [gzip]).headers["etag"])
        #expect(plain != small)
        #expect(try await client.ask("GET", "/", ["If-None-Match: \(plain)"]).status == 304)
        #expect(try await client.ask("GET", "/", [gzip, "If-None-Match: \(plain)"]).status == 200)
        let known = try await client.ask("GET", "/", [gzip, "If-None-Match: \(plain), \(small)"])
        #expect(known.status == 304 && known.headers["etag"] == small && known.headers["vary"] == "Accept-Encoding")
        // A browser uses the policy of this response for its cached page.
        #expect(known.headers["content-security-policy"]?.contains("'sha256-") == true)
        await host.service.stop()
    }

    @Test("a list of thousands is read, a longer one refused")
    func longList() async throws {
        let host = try await Self.host()
        let client = try await host.client()
        let long = String(repeating: "x,", count: 3900)
        #expect(try await client.ask("GET", "/", ["Accept-Encoding: \(long)gzip"]).content == Self.gzipped)
        #expect(try await client.ask("GET", "/", ["Accept-Encoding: \(long)\(long)gzip"]).status == 431)
        await host.service.stop()
    }
}
