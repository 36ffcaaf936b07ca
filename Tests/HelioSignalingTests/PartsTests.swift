import HelioCore
import HelioLoop
import NIOCore
import Testing

@testable import HelioSignaling

@Suite("The parts of signalling")
struct PartsTests {
    static let dates = [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),  // RFC 9110 section 5.6.7
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
        (1_798_761_599, "Thu, 31 Dec 2026 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
    ]

    @Test("the time of day as HTTP has it", arguments: dates)
    func date(seconds: Int, text: String) {
        #expect(HTTPDate.text(secondsSince1970: seconds) == text)
    }

    static let codings: [(accepted: [Substring], isTaken: Bool)] = [
        ([], false), ([""], false), (["gzip"], true), (["GZip"], true), (["x-gzip"], true), (["gzip "], true),
        (["br", "deflate", "gzip"], true), (["*"], false), (["*", "gzip"], true), (["gzipped"], false),
        (["gz", "ip"], false),
        (["gzip;q=1"], true), (["gzip;q=1.000"], true), (["gzip; Q=0.001"], true), (["gzip\t;\tq=0.5"], true),
        (["gzip;q=0"], false), (["gzip;q=0."], false), (["gzip;q=0.000"], false), (["gzip;q=0", "gzip"], false),
        // Invalid weights.
        (["gzip;q=2"], false), (["gzip;q=1.001"], false), (["gzip;q=0.0001"], false), (["gzip;q=-1"], false),
        (["gzip;q="], false), (["gzip;"], false), (["gzip;q=0,5"], false), (["gzip;level=9"], false),
        (["gzip;q=1;q=0"], false), (["gzip;q=½"], false),
        ([Substring(String(repeating: ";", count: 8000))], false),
        ([Substring("gzip" + String(repeating: ";q=1", count: 2000))], true),
    ]

    @Test("who takes gzip", arguments: codings.indices)
    func coding(index: Int) {
        let (accepted, isTaken) = Self.codings[index]
        #expect(ContentCoding.acceptsGzip(accepted) == isTaken, "\(accepted.joined(separator: ",").prefix(80))")
    }

    @Test("pieces of a message")
    func assembly() throws {
        var assembly = MessageAssembly(maximumSize: 4)
        func piece(_ text: String) -> ByteBuffer { ByteBuffer(string: text) }
        #expect(try assembly.take(piece("abcd"), isFirst: true, isLast: true) == Array("abcd".utf8))
        #expect(try assembly.take(piece("ab"), isFirst: true, isLast: false) == nil)
        #expect(try assembly.take(piece("cd"), isFirst: false, isLast: true) == Array("abcd".utf8))
        #expect(try assembly.take(piece(""), isFirst: true, isLast: true) == [])
        #expect(throws: MessageAssembly.Failure.outOfOrder) {
            try assembly.take(piece("a"), isFirst: false, isLast: true)
        }
        #expect(throws: MessageAssembly.Failure.oversized) {
            try assembly.take(piece("abcde"), isFirst: true, isLast: true)
        }
        #expect(try assembly.take(piece("abc"), isFirst: true, isLast: false) == nil)
        #expect(throws: MessageAssembly.Failure.oversized) {
            try assembly.take(piece("de"), isFirst: false, isLast: true)
        }
        #expect(throws: MessageAssembly.Failure.outOfOrder) {
            try assembly.take(piece("a"), isFirst: true, isLast: true)
        }
        var patient = MessageAssembly(maximumSize: 4)
        for number in 0..<64 { #expect(try patient.take(piece(""), isFirst: number == 0, isLast: false) == nil) }
        #expect(throws: MessageAssembly.Failure.tooManyPieces) {
            try patient.take(piece(""), isFirst: false, isLast: false)
        }
    }

    @Test("no other name is made of pieces of the right ones")
    func names() {
        let pieces = [
            "localhost", "Box", ".lan", ".local", "127.0.0.1", "[::1]", ":", "8080", "99999", "[", "]", ".", "evil",
            "@",
            "/", " ", "\u{0}", "ü", "1",
        ]
        let names = HostNames(["box.lan"])
        var random = SeededGenerator(seed: 7)
        var taken = 0
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 1...4, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                .joined()
            let isOwn = text.wholeMatch(
                of: /(?:localhost|[Bb]ox|[Bb]ox\.lan|[Bb]ox\.local|1?127\.0\.0\.1{1,3}|\[::1\])(?::(\d+))?/)
            // 1127.0.0.1 is no address.
            let expected = isOwn.map { !text.hasPrefix("11") && ($0.1.map { UInt16($0) != nil } ?? true) } ?? false
            #expect(names.contain(text) == expected, "\(text.debugDescription)")
            taken += expected ? 1 : 0
        }
        #expect(taken > 20)
    }

    @Test("what may be allowed is a name, or all below a name that is not everybody's")
    func patterns() {
        for text in ["desk", "desk.example.org", "*.example.org", "a-b_c.Example.org"] {
            #expect(HostNames.isPattern(text), "\(text)")
        }
        for text in [
            "", "*", "*.org", "*.", "a.*.org", "*a.example.org", "desk..org", ".org", "org.", "10.0.0.1", "::1",
            "desk:8080", "http://desk", "dësk", "a b", String(repeating: "a", count: 64),
        ] {
            #expect(!HostNames.isPattern(text), "\(text)")
        }
    }

    @Test("this machine's name is one to call it by")
    func machineName() throws {
        let name = try #require(HostNames.ofThisMachine().first)
        #expect(!name.isEmpty)
        #expect(HostNames([name]).contain(name + ":8080"))
        #expect(!HostNames([]).contain("") && !HostNames([""]).contain(""))
    }
}
