import HelioAdmission
import HelioCore
import HelioMedia
import HelioOpenSSL
import HelioSession
import HelioSimulation
import Testing

/// Hosts that send requests instead of answers: anyone at an announced name or address can do so, before any proof.
@Suite("A host that asks without end")
struct AskingHostTests {
    private static let requests = [
        "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n", "GET_PARAMETER rtsps://h/screen RTSP/1.0\r\nCSeq: 1\r\n\r\n",
        "REDIRECT rtsps://h/screen RTSP/1.0\r\nCSeq: 1\r\n\r\n",
        "SET_PARAMETER rtsps://h/screen RTSP/1.0\r\nCSeq: 1\r\nContent-Type: x/y\r\nContent-Length: 2\r\n\r\nab",
    ]

    private static func stranger() -> SinkSession {
        let session = SinkSession(
            SinkSession.Settings(),
            link: ShareLink(
                host: "10.0.0.1", port: 7236, fingerprint: [UInt8](repeating: 0xAB, count: 32),
                secret: [UInt8](repeating: 1, count: ShareLink.secretBytes)),
            certificateFingerprint: [UInt8](repeating: 0xAB, count: 32), crypto: OpenSSLCrypto(),
            random: SeededGenerator(seed: 1), now: .zero)
        session.handle(.connected, now: .zero)
        return session
    }

    /// Drains a session's outputs: the number of bytes for the host, the events, and the error that ended the session.
    private static func drain(_ session: SinkSession) -> (bytes: Int, events: [SinkSession.Event], ended: HelioError?) {
        var (bytes, events, ended) = (0, [SinkSession.Event](), HelioError?.none)
        while let output = session.poll() {
            switch output {
            case .send(let message), .frame(let message), .transfer(let message): bytes += message.count
            case .event(.ended(let error)): ended = error
            case .event(let event): events.append(event)
            case .close, .openPath, .media, .control: break
            }
        }
        return (bytes, events, ended)
    }

    @Test("before its proof it gets a few answers, and is left", arguments: requests)
    func unproven(request: String) {
        let session = Self.stranger()
        _ = Self.drain(session)
        var bytes = 0
        for _ in 0..<SinkSession.mostStrangersRequests {
            session.handle(.received(Array(request.utf8)), now: .zero)
            let said = Self.drain(session)
            #expect(said.ended == nil)
            bytes += said.bytes
        }
        session.handle(.received(Array(String(repeating: request, count: 1000).utf8)), now: .zero)
        let said = Self.drain(session)
        #expect(said.ended?.code == .protocolViolation)
        #expect(bytes + said.bytes < 4096)
    }

    @Test("before its proof nothing that it says of screen and permission is believed")
    func unbelieved() {
        let session = Self.stranger()
        _ = Self.drain(session)
        for (type, body) in [("permission", "control"), ("monitors+json", #"{"type":"monitors","list":[]}"#)] {
            let head = "SET_PARAMETER rtsps://h/screen RTSP/1.0\r\nCSeq: 1\r\n"
            let fields = "Content-Type: application/x-heliograph-\(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            session.handle(.received(Array((head + fields + body).utf8)), now: .zero)
        }
        let said = Self.drain(session)
        #expect(said.events.isEmpty && said.ended == nil)
    }

    @Test("after its proof it is left once it does not read what it has asked for")
    func unread() throws {
        var world = SessionWorld()
        try world.run(.seconds(1))
        #expect(world.viewer.isPlaying)
        let session = world.viewer.session
        let burst = Array(String(repeating: Self.requests[1], count: 1000).utf8)
        var (bytes, ended) = (0, HelioError?.none)
        for _ in 0..<1000 where ended == nil {
            session.handle(.received(burst), now: world.now)
            let said = Self.drain(session)
            bytes += said.bytes
            ended = said.ended
        }
        #expect(ended?.code == .protocolViolation)
        #expect((SinkSession.mostUnsent...SinkSession.mostUnsent + 65536).contains(bytes))
    }

    @Test("one that reads may ask for ever")
    func read() throws {
        var world = SessionWorld()
        try world.run(.seconds(1))
        let session = world.viewer.session
        let burst = Array(String(repeating: Self.requests[1], count: 1000).utf8)
        var bytes = 0
        while bytes < 2 * SinkSession.mostUnsent {
            session.handle(.received(burst), now: world.now)
            let said = Self.drain(session)
            try #require(said.ended == nil)
            bytes += said.bytes
            session.handle(.written(said.bytes), now: world.now)
        }
    }

    /// A host may send anything in any order: the viewer's memory for it is bounded, and the viewer contacts no address
    /// but the host's own, which the driver knows.
    @Test("whatever an unproven host sends, little comes back", arguments: 0..<64)
    func anything(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let session = Self.stranger()
        var bytes = 0
        let pieces =
            Self.requests + [
                "RTSP/1.0 200 OK\r\nCSeq: 1\r\n\r\n", "RTSP/1.0 401 Unauthorized\r\nCSeq: 1\r\n\r\n",
                "$\u{1}\0\u{4}abcd",
                "RTSP/1.0 401 Unauthorized\r\nCSeq: 1\r\nWWW-Authenticate: Heliograph nonce=\""
                    + String(repeating: "0", count: 32)
                    + "\"\r\n\r\n",
                "TEARDOWN rtsps://h/screen RTSP/1.0\r\nCSeq: 1\r\n\r\n", "\r\n",
            ]
        for _ in 0..<2000 {
            let piece = pieces.randomElement(using: &generator) ?? ""
            session.handle(.received(Array(piece.utf8)), now: .zero)
            let said = Self.drain(session)
            bytes += said.bytes
            for event in said.events {
                guard case .ended = event else {
                    Issue.record("\(event) of a host that has proven nothing")
                    continue
                }
            }
        }
        #expect(bytes < 16384)
    }
}
