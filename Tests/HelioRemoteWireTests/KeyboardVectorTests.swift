import Foundation
import HelioJSON
import HelioRemoteWire
import Testing

/// The host parses the messages of the page and the special keyboard in Testing/Vectors/keyboard.json.
@Suite("Messages of the keyboard's vectors")
struct KeyboardVectorTests {
    private static func messages(in value: JSON) -> [JSON] {
        switch value {
        case .array(let values): return values.flatMap { messages(in: $0) }
        case .object(let object):
            return object.members.flatMap { member -> [JSON] in
                guard member.name == "send", case .array(let sent) = member.value else {
                    return messages(in: member.value)
                }
                return sent
            }
        default: return []
        }
    }

    /// The members of a message, ignoring their order. The vectors write a long text as `{"repeat": "x", "count":
    /// 4096}`.
    private static func members(_ message: JSON) -> Set<JSONObject.Member> {
        guard case .object(var object) = message else { return [] }
        if case .object(let long)? = object["characters"], case .string(let part)? = long["repeat"],
            case .number(let count)? = long["count"]
        {
            object["characters"] = .string(String(repeating: part, count: Int(count)))
        }
        return Set(object.members)
    }

    @Test func areReadAndWrittenTheSame() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../Testing/Vectors/keyboard.json").standardized
        let limits = JSONLimits(bytes: 1 << 20, values: 1 << 20)
        let vectors = try JSON(parsing: [UInt8](try Data(contentsOf: file)), limits: limits)
        var types: Set<String> = []
        for sent in Self.messages(in: vectors) {
            let members = Self.members(sent)
            var object = JSONObject()
            for member in members { object[member.name] = member.value }
            let message = try ViewerMessage(parsing: JSON.object(object).serialised())
            #expect(Self.members(try JSON(parsing: message.serialised(), limits: limits)) == members)
            types.insert(message.type)
        }
        #expect(types.isSuperset(of: ["keyDown", "keyUp", "keyPress", "text", "locks", "releaseAll"]))
    }
}
