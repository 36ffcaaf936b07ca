import Foundation
import HelioJSON
import HelioRemoteWire
import Testing

/// What the page and the special keyboard send, by Testing/Vectors/keyboard.json, is what the host reads.
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

    @Test func areReadAndWrittenTheSame() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../Testing/Vectors/keyboard.json").standardized
        let limits = JSONLimits(bytes: 1 << 20, values: 1 << 20)
        let vectors = try JSON(parsing: [UInt8](try Data(contentsOf: file)), limits: limits)
        var types: Set<String> = []
        for sent in Self.messages(in: vectors) {
            let message = try ViewerMessage(parsing: sent.serialised())
            #expect(message.serialised() == sent.serialised())
            types.insert(message.type)
        }
        #expect(types.isSuperset(of: ["keyDown", "keyUp", "keyPress", "text", "releaseAll"]))
    }
}
