import Foundation
import HelioCore
import HelioJSON
import Testing

@Suite("JSON, writing")
struct JSONWriteTests {
    private static func text(_ value: JSON) -> String { String(decoding: value.serialised(), as: UTF8.self) }

    @Test(
        arguments: [
            (0, "0"), (-0.0, "-0"), (7, "7"), (-120, "-120"), (2.0, "2"), (0.8, "0.8"), (1.5, "1.5"),
            (0.1 + 0.2, "0.30000000000000004"),
            (9_007_199_254_740_991, "9007199254740991"), (1e16, "1e+16"), (1e-7, "1e-07"),
            (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (.leastNonzeroMagnitude, "5e-324"),
            (.nan, "null"), (.infinity, "null"), (-.infinity, "null"),
        ] as [(Double, String)])
    func numbers(value: Double, text: String) {
        #expect(Self.text(.number(value)) == text)
    }

    @Test(arguments: [
        ("", #""""#), ("a/b", #""a/b""#), ("\"\\", #""\"\\""#), ("\n\r\t", #""\n\r\t""#),
        ("\u{8}\u{C}", #""\b\f""#),
        ("\0\u{1F}\u{7F}", "\"\\u0000\\u001f\u{7F}\""), ("é€😀", #""é€😀""#),
    ])
    func strings(value: String, text: String) {
        #expect(Self.text(.string(value)) == text)
    }

    @Test func containers() {
        var object = JSONObject()
        object["z"] = .array([])
        object["a"] = .array([JSON(1), .null, .bool(true), .bool(false)])
        object["\"\n"] = .object(JSONObject())
        #expect(Self.text(.object(object)) == #"{"z":[],"a":[1,null,true,false],"\"\n":{}}"#)
    }

    /// What is written is read as the same, here and by Foundation; what Foundation writes is read as the same here.
    @Test(arguments: 0..<200)
    func othersReadTheSame(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let value = JSON.array([Self.value(depth: 4, &random)])
        let bytes = value.serialised()
        let limits = JSONLimits(bytes: 1 << 20, values: 1 << 20)
        #expect(try JSON(parsing: bytes, limits: limits) == value)
        let theirs = try JSONSerialization.jsonObject(with: Data(bytes))
        #expect(try Self.value(of: theirs) == value.sorted)
        for options: JSONSerialization.WritingOptions in [[], [.prettyPrinted], [.sortedKeys]] {
            let again = [UInt8](try JSONSerialization.data(withJSONObject: theirs, options: options))
            #expect(try JSON(parsing: again, limits: limits).sorted == value.sorted)
        }
    }

    private static func value(depth: Int, _ random: inout SeededGenerator) -> JSON {
        switch Int.random(in: 0..<(depth == 0 ? 4 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2:
            let whole = Double(Int.random(in: -1_000_000...1_000_000, using: &random))
            return .number(Bool.random(using: &random) ? whole : whole / 1024)
        case 3: return .string(text(&random))
        case 4:
            return .array((0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth - 1, &random) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                object[text(&random)] = value(depth: depth - 1, &random)
            }
            return .object(object)
        }
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        let ranges: [ClosedRange<UInt32>] = [1...0x7F, 0x80...0x24F, 0x4E00...0x4EFF, 0x1F600...0x1F64F]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
            text.append(Unicode.Scalar(UInt32.random(in: range, using: &random)) ?? "x")
        }
        return String(text)
    }

    private static func value(of theirs: Any) throws -> JSON {
        switch theirs {
        case is NSNull: return .null
        case let number as NSNumber where String(cString: number.objCType) == "c": return .bool(number.boolValue)
        case let number as NSNumber: return .number(number.doubleValue)
        case let text as String: return .string(text)
        case let list as [Any]: return .array(try list.map(value(of:)))
        case let members as [String: Any]:
            var object = JSONObject()
            for (name, member) in members { object[name] = try value(of: member) }
            return JSON.object(object).sorted
        default: throw CocoaError(.coderReadCorrupt)
        }
    }
}

extension JSON {
    /// With the members of each object in the order of their names: Foundation keeps none.
    fileprivate var sorted: JSON {
        switch self {
        case .array(let values): return .array(values.map(\.sorted))
        case .object(let object):
            var sorted = JSONObject()
            for member in object.members.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
                sorted[member.name] = member.value.sorted
            }
            return .object(sorted)
        default: return self
        }
    }
}
