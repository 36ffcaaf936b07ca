import HelioJSON
import HelioRemoteWire
import Testing

/// A message, and its text as it is written: without spaces, fields in the order of docs/web/protocol.md.
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
        // What is not known is passed over.
        let longer = Array(#"{"new":[{"x":1}],"#.utf8) + Array(text.utf8.dropFirst())
        #expect(try Message(parsing: longer) == message)
        // A text that is cut is none.
        for count in 0..<text.utf8.count {
            let error = #expect(throws: RemoteWireError.self) {
                try Message(parsing: Array(text.utf8.prefix(count)))
            }
            #expect(error?.reason == .notJSON)
        }
    }

    /// Every field has to be there, except those that may be missing, and is of its type: else the message is malformed.
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
                // What is no input stands in a list of inputs as one that was not understood.
                if left == "list", case .array? = instead { continue }
                // A candidate of `null` ends them, and control may go to nobody.
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
