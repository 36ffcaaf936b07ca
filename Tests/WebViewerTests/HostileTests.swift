import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// A stranger gets no access, and viewers don't notice.
@Suite("In a browser: strangers", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct HostileTests {
    /// A session that continues during attacks.
    private final class Watched {
        let desktop: WebDesktop
        let client: XClient
        let browser: Browser
        let viewer: WebViewer
        private var clicks = 0

        init() throws {
            desktop = try WebDesktop(share: ["--stats"])
            client = try XClient(desktop.screen, desktop.size)
            browser = try Browser()
            viewer = try desktop.viewer(browser)
        }

        func expectUnharmed(_ location: SourceLocation = #_sourceLocation) throws {
            let x = 100 + 10 * clicks
            clicks += 1
            try viewer.click(x: x, y: 100)
            let event = try client.next()
            guard case .button(1, true, let atX, 99...101) = event, abs(atX - x) <= 1 else {
                Issue.record("\(event), not a click at \(x)", sourceLocation: location)
                return
            }
            _ = try client.next()
            try viewer.waitForColorChange(on: desktop)
            #expect(try viewer.page.problems() == [], sourceLocation: location)
        }
    }

    /// Waits for these drops in the statistics that the host prints each second; a prefix before a name selects the
    /// section.
    private static func expectCounted(_ names: String..., by watched: Watched) throws {
        var missing = Set(names)
        var line = ""
        for _ in 0..<60 where !missing.isEmpty {
            line = try watched.desktop.host.line(with: "\"drops\":")
            missing = missing.filter { !line.contains("\($0)\":") || line.contains("\($0)\":0") }
        }
        #expect(missing.isEmpty, "\(line)")
    }

    private static let nonce = "AAAAAAAAAAAAAAAAAAAAAA"
    private static let digest = String(repeating: "A", count: 43)
    private static let hello = """
        {"type":"hello","version":1,"nonce":"\(nonce)","fingerprint":"\(digest)","name":"stranger"}
        """
    private static let join = #"{"type":"join","proof":"\#(digest)"}"#

    @Test("a page of another origin can neither speak to the host nor read from it")
    func origins() throws {
        let watched = try Watched()
        let port = watched.desktop.webPort
        for origin in ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:\(port)", ""] {
            #expect(try Stranger(port: port).upgrade(origin: origin) == 403, "\(origin)")
        }
        // A host name that anybody may have pointed to this machine.
        for host in ["evil.example", "evil.example:\(port)", "localhost.evil.example"] {
            #expect(try Stranger(port: port).ask("/", [("Host", host)]).0 == 403, "\(host)")
            #expect(
                try Stranger(port: port).upgrade(origin: "http://\(host)", [("Host", host)]) == 403, "\(host)")
        }
        // A real page of another origin.
        let page = try watched.browser.page()
        let elsewhere = try Middleman(to: port)
        try page.open("http://127.0.0.1:\(elsewhere.port)/")
        let outcome: String = try page.evaluate(
            """
            new Promise((tell) => {
                const socket = new WebSocket("ws://127.0.0.1:\(port)/signaling");
                socket.onopen = () => tell("open");
                socket.onerror = () => tell("refused");
            })
            """)
        #expect(outcome == "refused")
        let read: String = try page.evaluate(
            "fetch('http://127.0.0.1:\(port)/').then((answer) => answer.text(), () => 'refused')")
        #expect(read == "refused")
        try watched.expectUnharmed()
        try Self.expectCounted("foreign-origin", "foreign-host", by: watched)
    }

    @Test("nothing but the page's files is served")
    func files() throws {
        let watched = try Watched()
        let port = watched.desktop.webPort
        for path in ["/../etc/passwd", "/%2e%2e/etc/passwd", "//etc/passwd", "/devices.json", "/.git/config"] {
            let status = try Stranger(port: port).ask(path).0
            #expect([400, 403, 404].contains(status), "\(path): \(status)")
        }
        for method in ["POST", "PUT", "DELETE"] {
            #expect(try Stranger(port: port).ask("/", method: method).0 == 405)
        }
        let head = try Stranger(port: port).ask("/").1.lowercased()
        #expect(head.contains("content-security-policy: default-src 'none'") && !head.contains("unsafe-"))
        // Permits only its own scripts, by hash.
        #expect(head.contains("script-src 'self' 'sha256-") && head.contains("style-src 'self' 'sha256-"))
        let small = try Stranger(port: port).ask("/", [("Accept-Encoding", "gzip")]).1.lowercased()
        #expect(small.contains("content-encoding: gzip") && !head.contains("content-encoding"))
        #expect(head.contains("x-content-type-options: nosniff") && head.contains("referrer-policy: no-referrer"))
        try watched.expectUnharmed()
    }

    @Test("a wrong proof is refused, and who tries on is told to wait")
    func wrongProofs() throws {
        let watched = try Watched()
        var reasons: [String] = []
        for _ in 0..<12 {
            let stranger = try Stranger.connected(port: watched.desktop.webPort)
            try stranger.say(Self.hello)
            try stranger.say(Self.join)
            let all = try stranger.heardToTheEnd().joined(separator: "\n")
            #expect(!all.contains("admitted"))
            reasons.append(all.contains("wrong-proof") ? "wrong" : all.contains("too-many-tries") ? "many" : all)
        }
        #expect(reasons.first == "wrong")
        #expect(reasons.last == "many")
        try watched.expectUnharmed()
        try Self.expectCounted("wrong-proof", "too-many-tries", by: watched)
    }

    @Test("what a viewer proved before is no proof again")
    func replay() throws {
        let watched = try Watched()
        let middleman = try Middleman(to: watched.desktop.webPort)
        let page = try watched.browser.page()
        try page.open("http://127.0.0.1:\(middleman.port)/#\(try watched.desktop.newCode())")
        try WebViewer(page, of: watched.desktop.size).waitForPicture()
        let said = middleman.said.filter(\.isOfViewer).map(\.text)
        #expect(said.count > 2 && said[0].contains("hello") && said[1].contains("join"))
        let stranger = try Stranger.connected(port: watched.desktop.webPort)
        for text in said { try? stranger.say(text) }
        let answers = try stranger.heardToTheEnd().joined(separator: "\n")
        #expect(answers.contains("refused") && !answers.contains("admitted") && !answers.contains("answer"))
        try watched.expectUnharmed()
    }

    /// What a man in the middle may replace.
    enum Swap: CaseIterable {
        case viewersCertificate, hostsCertificate, offer, answer, hostsProof

        var rewrites: (viewer: Middleman.Rewrite, host: Middleman.Rewrite) {
            func swap(_ type: String, _ change: @escaping @Sendable (String) -> String) -> Middleman.Rewrite {
                { $0.contains("\"type\":\"\(type)\"") ? change($0) : $0 }
            }
            let same: Middleman.Rewrite = { $0 }
            let fingerprint: @Sendable (String) -> String = {
                $0.replacing(/("fingerprint" *: *")[A-Za-z0-9_-]{43}/) { $0.1 + String(repeating: "A", count: 43) }
            }
            let proof: @Sendable (String) -> String = {
                $0.replacing(/("proof" *: *")[A-Za-z0-9_-]{43}/) { $0.1 + String(repeating: "A", count: 43) }
            }
            let description: @Sendable (String) -> String = {
                $0.replacing(/(a=fingerprint:sha-256 )([0-9A-Fa-f]{2})/) { $0.1 + ($0.2 == "00" ? "01" : "00") }
            }
            return switch self {
            case .viewersCertificate: (swap("hello", fingerprint), same)
            case .hostsCertificate: (same, swap("welcome", fingerprint))
            case .offer: (swap("offer", description), same)
            case .answer: (same, swap("answer", description))
            case .hostsProof: (same, swap("admitted", proof))
            }
        }

        /// The text that the page shows.
        var words: String {
            switch self {
            case .viewersCertificate, .hostsCertificate: "Not let in"
            case .offer: "Not let in"
            case .answer, .hostsProof: "Not the host"
            }
        }
    }

    @Test(
        "a man in the middle who swaps a certificate is found out, by the host or by the page", arguments: Swap.allCases
    )
    func middleman(_ swap: Swap) throws {
        let watched = try Watched()
        let middleman = try Middleman(
            to: watched.desktop.webPort, viewer: swap.rewrites.viewer, host: swap.rewrites.host)
        let page = try watched.browser.page()
        try page.open("http://127.0.0.1:\(middleman.port)/#\(try watched.desktop.newCode())")
        try page.until("document.querySelector('#title').textContent === '\(swap.words)'")
        #expect(try page.evaluate("document.body.dataset.screen", as: String.self) != "watching")
        #expect(try page.evaluate("document.querySelector('#picture').videoWidth", as: Int.self) == 0)
        try watched.expectUnharmed()
    }

    @Test("malformed messages, and those out of order, are answered or end the connection, and nothing else")
    func junk() throws {
        let watched = try Watched()
        let port = watched.desktop.webPort
        let deep = String(repeating: "[", count: 10_000)
        let offer = #"{"type":"offer","sdp":"v=0"}"#
        let cases: [[String]] = [
            [""], ["{"], ["null"], ["[]"], ["7"], ["{}"], [#"{"type":7}"#], [#"{"type":"nonsense"}"#], [deep],
            [#"{"type":"hello"}"#], [#"{"type":"hello","version":2,"nonce":"","fingerprint":"","name":""}"#],
            [
                Self.hello.replacing(
                    "\"name\":\"stranger\"", with: "\"name\":\"\(String(repeating: "n", count: 9000))\"")
            ],
            [Self.join], [offer], [#"{"type":"candidate","candidate":null}"#], [#"{"type":"confirm"}"#],
            [Self.hello, Self.hello], [Self.hello, offer], [Self.hello, #"{"type":"join"}"#],
            [Self.hello, #"{"type":"join","proof":"\#(Self.digest)","device":"nobody"}"#],
            [Self.hello, #"{"type":"reveal","nonce":"\#(Self.nonce)"}"#],
            ["\u{0}\u{1}\u{2}"], [#"{"type":"\ud800"}"#], [#"{"type":"hello","version":1e999}"#],
        ]
        for messages in cases {
            let stranger = try Stranger.connected(port: port)
            for message in messages { try stranger.say(message) }
            var heard: [String] = []
            while let text = try stranger.heard() {
                heard.append(text)
                if text.contains("\"error\"") || text.contains("\"refused\"") { break }
            }
            let last = heard.last ?? "nothing"
            #expect(last.contains("\"error\"") || last.contains("\"refused\""), "\(messages): \(last.prefix(300))")
            #expect(!heard.contains { $0.contains("\"admitted\"") || $0.contains("\"answer\"") }, "\(messages)")
        }
        try watched.expectUnharmed()
    }

    @Test("frames that no browser sends end the connection")
    func frames() throws {
        let watched = try Watched()
        let port = watched.desktop.webPort
        let text = WebSocketFrame(WebSocketFrame.text, Array(Self.hello.utf8))
        let huge: [UInt8] = [0x81, 0xFF, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let cases: [[UInt8]] = [
            text.bytes(masked: false),
            WebSocketFrame(WebSocketFrame.binary, [1, 2, 3]).bytes(masked: true),
            WebSocketFrame(WebSocketFrame.text, [0xFF, 0xFE, 0xC0]).bytes(masked: true),
            WebSocketFrame(WebSocketFrame.text, [UInt8](repeating: 0x20, count: 70_000)).bytes(masked: true),
            WebSocketFrame(3, []).bytes(masked: true),
            [0xF1, 0x80, 0, 0, 0, 0],
            WebSocketFrame(WebSocketFrame.ping, [UInt8](repeating: 0, count: 200)).bytes(masked: true),
            huge,
        ]
        for bytes in cases {
            let stranger = try Stranger.connected(port: port)
            try? stranger.stream.write(bytes)
            let all = try stranger.heardToTheEnd()
            #expect(!all.contains { $0.contains("welcome") }, "\(bytes.prefix(20))")
        }
        try watched.expectUnharmed()
        try Self.expectCounted("unmasked-frame", "binary-message", "oversized-message", by: watched)
    }

    @Test("strangers who flood, or only sit there, take nothing from who watches")
    func floods() throws {
        let watched = try Watched()
        let port = watched.desktop.webPort
        // The crowd uses several addresses, as one address is limited in connections.
        let sitting = (0..<300).compactMap { try? Stranger(port: port, from: UInt8(2 + $0 % 3)) }
        #expect(sitting.count > 200)
        for _ in 0..<5 {
            let stranger = try Stranger.connected(port: port)
            for _ in 0..<5000 where (try? stranger.say(#"{"type":"nonsense"}"#)) == nil { break }
            // The stranger gets a few error messages, and is then disconnected.
            let heard = try stranger.heardToTheEnd()
            #expect(heard.count <= 8, "\(heard)")
            try watched.expectUnharmed()
        }
        // A new viewer is still admitted.
        let other = try watched.desktop.viewer(watched.browser)
        try other.waitForColorChange(on: watched.desktop)
        withExtendedLifetime(sitting) {}
    }

    @Test("who was let in and then sends junk by its channels harms nobody else")
    func junkInside() throws {
        let watched = try Watched()
        try watched.expectUnharmed()
        let page = try watched.browser.page()
        // The page has no function for this: its channels are intercepted where it creates them.
        try page.before(
            """
            globalThis.caught = {};
            globalThis.answers = [];
            const make = RTCPeerConnection.prototype.createDataChannel;
            RTCPeerConnection.prototype.createDataChannel = function (label, options) {
                const channel = make.call(this, label, options);
                channel.addEventListener("message", ({data}) => answers.push(data));
                return caught[label] = channel;
            };
            """)
        try page.open(try watched.desktop.newLink())
        try WebViewer(page, of: watched.desktop.size).waitForPicture()
        // The picture does not wait for the channels.
        try page.until("caught.control.readyState === 'open' && caught.moves.readyState === 'open'")
        for junk in [
            "", "{", "null", #"{"type":"nonsense"}"#, #"{"type":"click","button":"left","count":1e99}"#,
            #"{"type":"mouseTo","x":1e999,"y":0,"n":-1}"#, #"{"type":"keyDown","keyCode":-1,"modifiers":[]}"#,
            #"{"type":"selectMonitor","id":99}"#, #"{"type":"handOver","to":12345}"#, #"{"type":"text"}"#,
        ] {
            try page.run("answers.length = 0; caught.control.send(\(try Self.literal(junk)))")
            try page.until("answers.some((text) => text.includes('\"error\"'))")
        }
        try page.run("caught.control.send(new Uint8Array(100)); caught.moves.send('x'.repeat(16000)); 0")
        try watched.expectUnharmed()
        try page.run(
            """
            for (let i = 0; i < 20000; i++) caught.control.send('{"type":"mouseDown","button":"right","x":0.9,"y":0.9}');
            for (let i = 0; i < 5000; i++) caught.moves.send('{"type":"mouseTo","x":0.9,"y":0.9,"n":' + i + '}');
            0
            """)
        try watched.expectUnharmed()
    }

    private static func literal(_ text: String) throws -> String {
        String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }
}
