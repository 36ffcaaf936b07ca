import HelioCore
import HelioFuzzing
import HelioSDP
import Testing

struct SessionDescriptionTests {
    private static let head = "v=0\no=- 7 1 IN IP4 192.0.2.1\ns=x\nt=0 0\n"

    /// The lines of RFC 8866 section 5, without those that the parser drops.
    @Test func everyLineIsReadAndWrittenBack() throws {
        let lines = [
            "v=0", "o=jdoe 3724394400 3724394405 IN IP4 198.51.100.1", "s=Call to John Smith", "i=SDP Offer #1",
            "u=http://www.jdoe.example.com/home.html", "e=Jane Doe <jane@jdoe.example.com>", "p=+1 617 555-6011",
            "c=IN IP4 198.51.100.1", "b=AS:128", "t=0 0", "r=604800 3600 0 90000", "z=2882844526 -1h", "k=clear:secret",
            "a=recvonly", "a=control:*", "m=audio 49170 RTP/AVP 0", "i=sound", "m=audio 49180/2 RTP/AVP 0 8",
            "c=IN IP6 2001:db8::1", "b=TIAS:64000", "a=x:", "m=video 51372 RTP/SAVPF 99",
            "c=IN IP4 233.252.0.1/127", "a=rtpmap:99 H263-1998/90000",
        ]
        let bytes = Array(lines.joined(separator: "\r\n").utf8)
        let session = try SessionDescription(parsing: bytes)
        #expect(session.origin.username == "jdoe")
        #expect(session.origin.sessionVersion == 3_724_394_405)
        #expect(session.information == "SDP Offer #1")
        #expect(session.bandwidths == [Bandwidth(type: "AS", value: 128)])
        #expect(session.attributes.all == [Attribute("recvonly"), Attribute("control", "*")])
        #expect(session.media.map(\.kind) == [.audio, .audio, .video])
        #expect(session.media.map(\.port) == [49170, 49180, 51372])
        #expect(session.media.map(\.portCount) == [1, 2, 1])
        #expect(session.media[1].formats == ["0", "8"])
        #expect(session.media[1].connection == ConnectionData(.ip6, "2001:db8::1"))
        #expect(session.media[1].attributes.all == [Attribute("x", "")])
        #expect(session.media[2].transport == "RTP/SAVPF")
        #expect(session.media[2].connection?.address == "233.252.0.1/127")
        let kept = lines.filter { !"ueprzk".contains($0.first ?? "-") }
        #expect(session.serialised() == Array((kept.joined(separator: "\r\n") + "\r\n").utf8))
        #expect(try SessionDescription(parsing: session.serialised()) == session)
    }

    @Test(arguments: ["\n", "\r\n"], ["", "\n"])
    func lineEnds(end: String, last: String) throws {
        let text = ["v=0", "o=- 7 1 IN IP4 192.0.2.1", "s=x", "t=0 0"].joined(separator: end) + last
        #expect(try SessionDescription(parsing: Array(text.utf8)).origin.sessionID == 7)
    }

    @Test func valuesAddNoLines() throws {
        var session = SessionDescription(
            origin: Origin(sessionID: 1, host: ConnectionData(.ip4, "192.0.2.1")), name: "a\r\na=evil\0")
        session.attributes.all = [Attribute("b", "1\nm=video 0 RTP/AVP 96")]
        let again = try SessionDescription(parsing: session.serialised())
        #expect(again.name == "aa=evil")
        #expect(again.media.isEmpty)
        #expect(again.attributes.all == [Attribute("b", "1m=video 0 RTP/AVP 96")])
    }

    @Test func emptyNameIsWrittenAsDash() throws {
        let session = SessionDescription(origin: Origin(sessionID: 1, host: ConnectionData(.ip4, "h")), name: "")
        #expect(try SessionDescription(parsing: session.serialised()).name == "-")
    }

    struct Hostile: CustomTestStringConvertible {
        var text: String
        var error: SDPError
        init(_ text: String, _ error: SDPError) {
            self.text = text
            self.error = error
        }
        var testDescription: String { "\(error) \(text.debugDescription.prefix(60))" }
    }

    @Test(arguments: [
        Hostile("", .missing("v")), Hostile("o=- 7 1 IN IP4 h\n", .missing("v")), Hostile("v=1\n", .malformed(line: 1)),
        Hostile("v=0", .missing("o")), Hostile("v=0\ns=x\n", .missing("o")),
        Hostile("v=0\nm=video 0 A 1\n", .missing("o")),
        Hostile("v=0\no=- 7 1 IN IP4 h\n", .missing("s")),
        Hostile("v=0\no=- 7 1 IN IP4 h\nt=0 0\n", .missing("s")),
        Hostile("v=0\no=- 7 1 IN IP4 h\ns=x\n", .missing("t")),
        Hostile("v=0\no=- 7 1 IN IP4 h\ns=x\na=b\n", .missing("t")),
        Hostile("v=0\no=- 7 1 IN IP4 h\ns=x\nm=video 0 A 1\n", .missing("t")),
        Hostile("v=0\no=- 7 1 IN IP4 h\no=- 7 1 IN IP4 h\n", .misplaced(line: 3)),
        Hostile("v=0\no=- -7 1 IN IP4 h\n", .malformed(line: 2)),
        Hostile("v=0\no=- 7 1 IN IP5 h\n", .malformed(line: 2)),
        Hostile("v=0\no=- 7 1 ATM IP4 h\n", .malformed(line: 2)), Hostile("v=0\no=- 7 1 IN IP4\n", .malformed(line: 2)),
        Hostile("v=0\no=- 18446744073709551616 1 IN IP4 h\n", .malformed(line: 2)),
        Hostile("v=0\no=- 7 1 IN IP4 h i\n", .malformed(line: 2)),
        Hostile("v=0\no=- 7  1 IN IP4 h\n", .malformed(line: 2)),
        Hostile("v=0\no=- 7 1 IN IP4 h\ns=\n", .malformed(line: 3)), Hostile("v=0\nq\n", .malformed(line: 2)),
        Hostile("v=0\n\n", .malformed(line: 2)), Hostile("v=0\r\r\n", .malformed(line: 1)),
        Hostile("v=0\no=- 7 1 IN IP4 h\ns=a\u{0}b\n", .malformed(line: 3)),
        Hostile("v=0\no=- 7 1 IN IP4 h\ns=x\nt=0\n", .malformed(line: 4)),
        Hostile("v=0\no=- 7 1 IN IP4 h\ns=x\nr=1\nt=0 0\n", .misplaced(line: 4)),
        Hostile(head + "q=1\n", .malformed(line: 5)), Hostile(head + "a=\n", .malformed(line: 5)),
        Hostile(head + "v=0\n", .malformed(line: 5)),
        Hostile(head + "a=:x\n", .malformed(line: 5)), Hostile(head + "a=b c\n", .malformed(line: 5)),
        Hostile(head + "a=b\nb=AS:1\n", .misplaced(line: 6)), Hostile(head + "c=IN IP4 h\n", .misplaced(line: 5)),
        Hostile(head + "m=video 0 RTP/AVP\n", .malformed(line: 5)),
        Hostile(head + "m=video 65536 RTP/AVP 96\n", .malformed(line: 5)),
        Hostile(head + "m=video 0/0 RTP/AVP 96\n", .malformed(line: 5)),
        Hostile(head + "m=video 0/ RTP/AVP 96\n", .malformed(line: 5)),
        Hostile(head + "m=video 0 RTP//AVP 96\n", .malformed(line: 5)),
        Hostile(head + "m=video 0 RTP/AVP 96 \n", .malformed(line: 5)),
        Hostile(head + "m=video 0 RTP/AVP 96\nb=AS\n", .malformed(line: 6)),
        Hostile(head + "m=video 0 RTP/AVP 96\nc=IN IP4\n", .malformed(line: 6)),
        Hostile(head + "m=video 0 RTP/AVP 96\na=x\ni=y\n", .misplaced(line: 7)),
        Hostile(head + "m=video 0 RTP/AVP 96\nt=0 0\n", .misplaced(line: 6)),
        Hostile(head + "a=" + String(repeating: "x", count: 4095) + "\n", .lineTooLong(line: 5)),
        Hostile(head + String(repeating: "a=x\n", count: 513), .tooManyAttributes),
        Hostile(head + String(repeating: "m=video 0 A 1\n", count: 33), .tooManyMedia),
        Hostile(head + "b=A:1\n", .misplaced(line: 5)),
        Hostile("v=0\no=- 7 1 IN IP4 h\ns=x\n" + String(repeating: "t=0 0\n", count: 4094), .tooManyLines),
        Hostile(String(repeating: "v", count: 65_537), .tooLarge),
    ])
    func refused(_ hostile: Hostile) {
        #expect(throws: hostile.error) { try SessionDescription(parsing: Array(hostile.text.utf8)) }
    }

    @Test func notUTF8() {
        #expect(throws: SDPError.malformed(line: 5)) {
            try SessionDescription(parsing: Array(Self.head.utf8) + Array("a=x:".utf8) + [0xFF])
        }
    }

    @Test func limitsAreWithinReach() throws {
        let text = Self.head + String(repeating: "a=x\n", count: 512) + String(repeating: "m=v 0 A 1\n", count: 32)
        let session = try SessionDescription(parsing: Array(text.utf8))
        #expect(session.attributes.all.count == 512)
        #expect(session.media.count == 32)
    }

    /// Mutations of a valid description: truncated, duplicated, and with flipped bits.
    @Test func seededFuzz() {
        let seed = Array(
            (Self.head + "a=crypto:1 AEAD_AES_128_GCM inline:AAECAwQFBgcICQoLDA0OD2RlZmdoaWprbG1ubw==\n"
                + "m=video 0 RTP/SAVPF 96\nc=IN IP4 h\nb=AS:1\na=rtpmap:96 H264/90000\na=fmtp:96 a=1;b\n"
                + "a=rtcp-fb:* nack pli\na=extmap:1 urn:x\na=setup:active\na=rtcp-mux\n").utf8)
        var generator = SeededGenerator(seed: 8866)
        for _ in 0..<3000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let at = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[at] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: at)
                case 2: bytes.insert(contentsOf: bytes[at..<min(at + 20, bytes.count)], at: at)
                default: bytes[at] = [0x20, 0x0A, 0x3A, 0x2F, 0x3B, 0x3D].randomElement(using: &generator) ?? 0
                }
            }
            SDPFuzz.run(bytes)
        }
    }
}
