import HelioBitstream
import HelioCore
import HelioRTP
import Testing

struct RTPDepacketizerTests {
    typealias Outcome = RTPDepacketizer.Outcome

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var codec: VideoCodec
        var payloads: [String]
        var outcomes: [Outcome]

        init(_ name: String, _ codec: VideoCodec, _ payloads: [String], _ outcomes: [Outcome]) {
            testDescription = name
            self.codec = codec
            self.payloads = payloads
            self.outcomes = outcomes
        }
    }

    private func collect(_ payloads: [String], _ codec: VideoCodec) -> (outcomes: [Outcome], annexB: [UInt8]) {
        var depacketizer = RTPDepacketizer(codec: codec)
        var annexB: [UInt8] = []
        let outcomes = payloads.map { payload in
            let bytes = hex(payload)
            return depacketizer.append(payload: bytes.span.bytes, to: &annexB)
        }
        return (outcomes, annexB)
    }

    @Test(arguments: [
        (VideoCodec.h264, ["658884"], "00000001 658884"),
        (.h264, ["67"], "00000001 67"),
        (.h264, ["78 0002 6742 0001 68 0003 65AABB"], "00000001 6742 00000001 68 00000001 65AABB"),
        (.h264, ["7C85 01", "7C05 0203", "7C45 04"], "00000001 65 01020304"),
        (.h264, ["DC81 01", "DC41 02", "41 03"], "00000001 C1 0102 00000001 41 03"),
        (.h265, ["2801AF"], "00000001 2801AF"),
        (.h265, ["6001 0003 40010C 0002 4201"], "00000001 40010C 00000001 4201"),
        (.h265, ["E30A 93 01", "E30A 13 0203", "E30A 53 04"], "00000001 A70A 01020304"),
    ])
    func putsTogether(codec: VideoCodec, payloads: [String], annexB: String) {
        let result = collect(payloads, codec)
        #expect(result.annexB == hex(annexB))
        #expect(result.outcomes.last == .whole)
    }

    @Test(arguments: [
        Case("nothing", .h264, [""], [.malformed(.truncated)]),
        Case("type 0", .h264, ["00"], [.malformed(.unsupported)]),
        Case("STAP-B", .h264, ["79 0000 0001 65"], [.malformed(.unsupported)]),
        Case("FU-B", .h264, ["7D 85 0000 01"], [.malformed(.unsupported)]),
        Case("type 31", .h264, ["7F 01"], [.malformed(.unsupported)]),
        Case("STAP-A of nothing", .h264, ["78"], [.malformed(.truncated)]),
        Case("STAP-A with half a length", .h264, ["78 00"], [.malformed(.truncated)]),
        Case("STAP-A with a length of 0", .h264, ["78 0000 0001 65"], [.malformed(.truncated)]),
        Case("STAP-A past the end", .h264, ["78 0001 65 0002 41"], [.malformed(.truncated)]),
        Case("STAP-A with one byte too many", .h264, ["78 0001 65 00"], [.malformed(.truncated)]),
        Case("STAP-A in STAP-A", .h264, ["78 0004 78 0001 65"], [.malformed(.unsupported)]),
        Case("FU-A without header", .h264, ["7C"], [.malformed(.truncated)]),
        Case("FU-A of nothing", .h264, ["7C 85"], [.malformed(.truncated)]),
        Case("FU-A of FU-A", .h264, ["7C 9C 01"], [.malformed(.unsupported)]),
        Case("FU-A of type 0", .h264, ["7C 80 01"], [.malformed(.unsupported)]),
        Case("start and end", .h264, ["7C C5 01"], [.malformed(.fragmentStartsAndEnds)]),
        Case("no start", .h264, ["7C 05 01"], [.malformed(.fragmentWithoutStart)]),
        Case("end alone", .h264, ["7C 45 01"], [.malformed(.fragmentWithoutStart)]),
        Case("two starts", .h264, ["7C 85 01", "7C 85 01"], [.partial, .malformed(.fragmentInterrupted)]),
        Case("another type", .h264, ["7C 85 01", "7C 41 01"], [.partial, .malformed(.fragmentInterrupted)]),
        Case("NAL unit between", .h264, ["7C 85 01", "41 9A"], [.partial, .malformed(.fragmentInterrupted)]),
        Case("STAP-A between", .h264, ["7C 85 01", "78 0001 65"], [.partial, .malformed(.fragmentInterrupted)]),
        Case("half a header", .h265, ["28"], [.malformed(.truncated)]),
        Case("PACI", .h265, ["6401 0000"], [.malformed(.unsupported)]),
        Case("type 63", .h265, ["7E01 0000"], [.malformed(.unsupported)]),
        Case("AP of nothing", .h265, ["6001"], [.malformed(.truncated)]),
        Case("AP of half a header", .h265, ["6001 0001 28"], [.malformed(.truncated)]),
        Case("AP past the end", .h265, ["6001 FFFF 2801"], [.malformed(.truncated)]),
        Case("AP in AP", .h265, ["6001 0002 6001"], [.malformed(.unsupported)]),
        Case("FU without header", .h265, ["6201"], [.malformed(.truncated)]),
        Case("FU of nothing", .h265, ["6201 93"], [.malformed(.truncated)]),
        Case("FU of FU", .h265, ["6201 B1 01"], [.malformed(.unsupported)]),
        Case("FU start and end", .h265, ["6201 D3 01"], [.malformed(.fragmentStartsAndEnds)]),
        Case("FU without start", .h265, ["6201 13 01"], [.malformed(.fragmentWithoutStart)]),
        Case("FU interrupted", .h265, ["6201 93 01", "2801AF"], [.partial, .malformed(.fragmentInterrupted)]),
    ])
    func refusesHostilePayloads(_ sample: Case) {
        #expect(collect(sample.payloads, sample.codec).outcomes == sample.outcomes)
    }

    @Test func startsAfreshAfterReset() {
        var depacketizer = RTPDepacketizer(codec: .h264)
        var annexB: [UInt8] = []
        #expect(!depacketizer.isPartial)
        let start = hex("7C85 01")
        let whole = hex("419A")
        var outcome = depacketizer.append(payload: start.span.bytes, to: &annexB)
        #expect(outcome == .partial && depacketizer.isPartial)
        depacketizer.reset()
        #expect(!depacketizer.isPartial)
        annexB = []
        outcome = depacketizer.append(payload: whole.span.bytes, to: &annexB)
        #expect(outcome == .whole)
        #expect(annexB == hex("00000001 419A"))
    }

    @Test(arguments: [
        ("6588", VideoCodec.h264, true), ("6742", .h264, true), ("68CE", .h264, false), ("419A", .h264, false),
        ("0605", .h264, false), ("78 0002 0605 0002 6742", .h264, true), ("78 0002 0605 0002 419A", .h264, false),
        ("78 0001 67 FFFF", .h264, true), ("78 FFFF 67", .h264, false), ("7C85 01", .h264, true),
        ("7C05 01", .h264, false), ("7C45 01", .h264, false), ("7C81 01", .h264, false), ("7C", .h264, false),
        ("", .h264, false), ("79 0000 0001 65", .h264, false),
        ("2801AF", .h265, true), ("2601AF", .h265, true), ("2A01AF", .h265, true), ("4001", .h265, true),
        ("4201", .h265, true), ("4401", .h265, false), ("0201AF", .h265, false),
        ("6001 0002 4E01 0002 4001", .h265, true), ("6001 0002 4E01 0002 0201", .h265, false),
        ("6201 93 01", .h265, true), ("6201 13 01", .h265, false), ("6201 81 01", .h265, false),
        ("62", .h265, false),
    ])
    func tellsWhereAKeyframeBegins(payload: String, codec: VideoCodec, isKeyframe: Bool) {
        let bytes = hex(payload)
        #expect(RTPDepacketizer.isKeyframePayload(bytes.span.bytes, codec: codec) == isKeyframe)
    }
}
