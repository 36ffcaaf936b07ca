import HelioRemoteWire
import Testing

/// An invalid text, with the name of the field that is reported.
struct HostileMessage: CustomTestStringConvertible, Sendable {
    var text: String
    var field: String

    init(_ text: String, _ field: String) {
        self.text = text
        self.field = field
    }

    var testDescription: String { String(text.prefix(120)) }

    func check<Message: RemoteMessage>(_: Message.Type) throws {
        // The text begins with its `type` member.
        let type = String(try #require(text.split(separator: "\"").dropFirst(3).first))
        #expect(throws: RemoteWireError.malformed(type: type, field: field)) {
            try Message(parsing: Array(text.utf8))
        }
    }
}
