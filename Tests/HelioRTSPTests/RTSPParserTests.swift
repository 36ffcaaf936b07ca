import HelioCore
import HelioFuzzing
import HelioRTSP
import Testing

struct RTSPParserTests {
    private static let describe = """
        DESCRIBE rtsp://192.0.2.1:8554/screen RTSP/1.0\r
        CSeq: 312\r
        Accept: application/sdp\r
        \r

        """

    private static func messages(
        _ bytes: [UInt8], piece: Int = .max, limits: RTSPParser.Limits = .init()
    ) throws(RTSPParseError) -> [RTSPMessage] {
        var parser = RTSPParser(limits: limits)
        var result: [RTSPMessage] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            parser.append(Array(rest.prefix(piece)))
            rest = rest.dropFirst(piece)
            while let message = try parser.next() { result.append(message) }
        }
        return result
    }

    @Test func request() throws {
        let message = try Self.messages(Array(Self.describe.utf8))
        let expected = RTSPRequest(
            .describe, uri: "rtsp://192.0.2.1:8554/screen", headers: ["CSeq": "312", "Accept": "application/sdp"])
        #expect(message == [.request(expected)])
        #expect(expected.serialised() == Array(Self.describe.utf8))
        #expect(expected.headers.sequence == 312)
    }

    @Test func response() throws {
        var response = RTSPResponse(.ok, headers: ["CSeq": "312"], body: Array("v=0".utf8))
        response.headers.session = RTSPSessionHeader(id: "47112344", timeout: 30)
        let bytes = response.serialised()
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "RTSP/1.0 200 OK\r\nCSeq: 312\r\nSession: 47112344;timeout=30\r\nContent-Length: 3\r\n\r\nv=0")
        guard case .response(let again) = try Self.messages(bytes).first else { return #expect(Bool(false)) }
        #expect(again == response)
        #expect(again.status.reason == "OK")
        #expect(again.headers.session?.timeout == 30)
        #expect(again.headers["content-length"] == nil)
    }

    /// Requests, responses and data, pipelined, in pieces of every size.
    @Test(arguments: 1...40)
    func splitsDoNotMatter(piece: Int) throws {
        let expected: [RTSPMessage] = [
            .request(RTSPRequest(.options, uri: "*", headers: ["CSeq": "1"])),
            .interleaved(channel: 1, [0x24, 0x0A, 0x0D, 0x0A]),
            .response(RTSPResponse(.notFound, headers: ["CSeq": "1"], body: Array("$\r\n\r\nRTSP/1.0".utf8))),
            .interleaved(channel: 255, []),
            .request(RTSPRequest(.setParameter, uri: "a", headers: ["CSeq": "2"], body: [0, 255, 10])),
        ]
        let bytes = expected.flatMap { $0.serialised() }
        #expect(try Self.messages(bytes, piece: piece) == expected)
    }

    @Test func lineFeedsAloneAndEmptyLinesAreTolerated() throws {
        let text = "\r\n\n\r\nPLAY * RTSP/1.0\nCSeq:5\nX:\t a b \t\n\n\n$"
        let messages = try Self.messages(Array(text.utf8))
        #expect(messages == [.request(RTSPRequest(.play, uri: "*", headers: ["CSeq": "5", "X": "a b"]))])
    }

    @Test func headersKeepOrderAndIgnoreCase() {
        var headers: RTSPHeaders = ["Via": "a", "CSeq": "1", "via": "b"]
        #expect(headers["VIA"] == "a")
        #expect(headers.all("Via") == ["a", "b"])
        headers["vIA"] = "c"
        #expect(headers.fields.map(\.name) == ["vIA", "CSeq"])
        headers["via"] = nil
        headers.append("X", "1")
        headers["Y"] = "2"
        #expect(headers.fields.map(\.name) == ["CSeq", "X", "Y"])
        #expect(RTSPHeaders(dictionaryLiteral: ("CSeq", "-1")).sequence == nil)
        #expect(RTSPHeaders(dictionaryLiteral: ("CSeq", "4294967296")).sequence == nil)
        #expect(RTSPHeaders(dictionaryLiteral: ("CSeq", "4294967295")).sequence == .max)
    }

    @Test func valuesAddNoLines() throws {
        let request = RTSPRequest(
            .options, uri: "a b\r\nX: 1", headers: ["A\n": "1\r\n\r\nTEARDOWN * RTSP/1.0", "Content-Length": "9"])
        let messages = try Self.messages(request.serialised())
        let expected = RTSPRequest(.options, uri: "a%20bX:%201", headers: ["A": "1TEARDOWN * RTSP/1.0"])
        #expect(messages == [.request(expected)])
    }

    @Test func descriptionsHideWhatMayBeSecret() {
        let request = RTSPRequest(
            .setup, uri: "rtsp://h/?token=geheim", headers: ["CSeq": "1", "Authorization": "geheim"],
            body: Array("geheim".utf8))
        let response = RTSPResponse(.ok, headers: ["CSeq": "1", "Session": "geheim"], body: Array("geheim".utf8))
        #expect("\(RTSPMessage.request(request))".contains("SETUP cseq=1 body=6"))
        #expect("\([request]) \(RTSPMessage.response(response))".contains("geheim") == false)
        #expect(String(reflecting: RTSPMessage.response(response)).contains("103, 101") == false)
    }

    struct Hostile: CustomTestStringConvertible {
        var text: String
        var error: RTSPParseError
        init(_ text: String, _ error: RTSPParseError) {
            self.text = text
            self.error = error
        }
        var testDescription: String { "\(error) \(text.debugDescription.prefix(60))" }
    }

    private static let start = "OPTIONS * RTSP/1.0\r\n"

    @Test(arguments: [
        Hostile("\u{1}\n", .malformedStartLine), Hostile("OPTIONS\n", .malformedStartLine),
        Hostile("OPTIONS *\n", .malformedStartLine), Hostile("OPTIONS  RTSP/1.0\n", .malformedStartLine),
        Hostile(" OPTIONS * RTSP/1.0\n", .malformedStartLine), Hostile("OPT:IONS * RTSP/1.0\n", .malformedStartLine),
        Hostile("GET / HTTP/1.1\n", .malformedStartLine), Hostile("OPTIONS * RTSP/2.0\n", .unsupportedVersion),
        Hostile("OPTIONS * RTSP/1.0 \n", .unsupportedVersion), Hostile("RTSP/2.0 200 OK\n", .unsupportedVersion),
        Hostile("RTSP/1.0 20 OK\n", .malformedStartLine), Hostile("RTSP/1.0 2000 OK\n", .malformedStartLine),
        Hostile("RTSP/1.0 +20 OK\n", .malformedStartLine), Hostile("RTSP/1.0 099 OK\n", .malformedStartLine),
        Hostile("RTSP/1.0 600 OK\n", .malformedStartLine), Hostile("RTSP/1.0\n", .malformedStartLine),
        Hostile(start + "no colon\r\n", .malformedHeader), Hostile(start + ": x\r\n", .malformedHeader),
        Hostile(start + "A : x\r\n", .malformedHeader), Hostile(start + " folded\r\n", .malformedHeader),
        Hostile(start + "A: \rx\r\n", .malformedHeader), Hostile(start + "A: \0\r\n", .malformedHeader),
        Hostile(start + "Content-Length: -1\r\n", .badContentLength),
        Hostile(start + "Content-Length: +1\r\n", .badContentLength),
        Hostile(start + "Content-Length: 1 1\r\n", .badContentLength),
        Hostile(start + "Content-Length:\r\n", .badContentLength),
        Hostile(start + "content-length: 0\r\nContent-Length: 0\r\n", .badContentLength),
        Hostile(start + "Content-Length: 99999999999999999999\r\n", .badContentLength),
        Hostile(start + "Content-Length: 65537\r\n", .bodyTooLarge),
        Hostile(String(repeating: "x", count: 8194), .lineTooLong),
        Hostile(String(repeating: "x", count: 8193) + "\n", .lineTooLong),
        Hostile(start + "A: " + String(repeating: "x", count: 8190) + "\n", .lineTooLong),
        Hostile(start + String(repeating: "A: b\r\n", count: 101), .tooManyHeaders),
        Hostile(start + String(repeating: "A: \(String(repeating: "b", count: 8000))\r\n", count: 9), .headTooLarge),
    ])
    func errorsAreTypedAndFinal(_ hostile: Hostile) {
        var parser = RTSPParser()
        parser.append(Array(hostile.text.utf8))
        #expect(throws: hostile.error) { try parser.next() }
        parser.append(Array(Self.describe.utf8))
        #expect(throws: hostile.error) { try parser.next() }
        #expect(parser.bufferedByteCount == 0)
    }

    @Test func notUTF8() {
        #expect(throws: RTSPParseError.malformedHeader) {
            try Self.messages(Array((Self.start + "A: ").utf8) + [0xC3, 0x28, 0x0A])
        }
    }

    @Test func limitsAreWithinReach() throws {
        let name = String(repeating: "x", count: 8192 - " * RTSP/1.0".utf8.count)
        let text = "\(name) * RTSP/1.0\r\n" + String(repeating: "A: b\r\n", count: 100) + "\r\n"
        let first = try Self.messages(Array(text.utf8)).first
        guard case .request(let request)? = first else { return #expect(Bool(false)) }
        #expect(request.headers.fields.count == 100)
        let body = [UInt8](repeating: 7, count: 300 * 1024)
        let large = RTSPRequest(.setParameter, uri: "*", body: body)
        #expect(
            try Self.messages(large.serialised(), piece: 1400, limits: .init(body: body.count)) == [.request(large)])
        #expect(throws: RTSPParseError.bodyTooLarge) {
            try Self.messages(large.serialised(), limits: .init(body: body.count - 1))
        }
    }

    @Test func seededFuzz() {
        let parts: [[UInt8]] = [
            Array(Self.describe.utf8),
            RTSPResponse(.ok, headers: ["Session": "a;timeout=5"], body: [1, 2, 3]).serialised(),
            RTSPMessage.interleaved(channel: 2, [9, 9]).serialised(),
            RTSPRequest(
                .setup, uri: "a",
                headers: ["Transport": "RTP/UDP;unicast;client_port=1-2;mode=\"PLAY\",RTP/AVP/TCP;interleaved=0-1"]
            ).serialised(),
        ]
        var generator = SeededGenerator(seed: 2326)
        for _ in 0..<3000 {
            var bytes = parts.shuffled(using: &generator).flatMap { $0 }
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let at = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[at] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: at)
                default: bytes[at] = Array(" \r\n:;,=\"$-".utf8).randomElement(using: &generator) ?? 0
                }
            }
            RTSPFuzz.run(bytes)
        }
    }
}
