import HelioJSON
import HelioRemoteWire
import Testing

/// A message, and its serialised text: without spaces, fields in the order of docs/web/protocol.md.
struct MessageVector<Message: RemoteMessage>: CustomTestStringConvertible, Sendable {
    var message: Message
    var text: String

    init(_ message: Message, _ text: String) {
        self.message = message
        self.text = text
    }

    var testDescription: String { message.type }

    func check() throws {
        #expect(String(decoding: message.serialised(), as: UTF8.self) == text)
        #expect(try Message(parsing: Array(text.utf8)) == message)
        // Unknown members are skipped.
        let longer = Array(#"{"new":[{"x":1}],"#.utf8) + Array(text.utf8.dropFirst())
        #expect(try Message(parsing: longer) == message)
        // A truncated text is invalid.
        for count in 0..<text.utf8.count {
            let error = #expect(throws: RemoteWireError.self) {
                try Message(parsing: Array(text.utf8.prefix(count)))
            }
            #expect(error?.reason == .notJSON)
        }
    }

    /// Checks that a message with a missing non-optional field, or a field of a wrong type, is malformed.
    func checkFields(optional: Set<String>) throws {
        guard case .object(let object) = try JSON(parsing: Array(text.utf8), limits: JSONLimits(bytes: 65_536)) else {
            Issue.record("no object")
            return
        }
        for left in object.members.map(\.name) where left != "type" {
            for instead in [nil, JSON.null, .array([.array([])]), .object(JSONObject())] {
                var other = JSONObject()
                for member in object.members {
                    other[member.name] = member.name == left ? instead : member.value
                }
                if optional.contains(left), instead == nil || instead == .null { continue }
                // An invalid element in a list of inputs is kept as an unknown input.
                if left == "list", case .array? = instead { continue }
                // A candidate of `null` means the end of candidates, and control may be handed to nobody.
                if instead == .null, ["candidate", "to"].contains(left) { continue }
                let error = #expect(throws: RemoteWireError.self, "\(left): \(instead as Any)") {
                    try Message(parsing: JSON.object(other).serialised())
                }
                #expect(error?.reason == .malformed)
                #expect(error?.about == message.type)
            }
        }
    }
}
