import HelioRemoteWire
import Testing

/// A text that is refused: as what, and for which of its fields.
struct HostileMessage: CustomTestStringConvertible, Sendable {
    var text: String
    var field: String

    init(_ text: String, _ field: String) {
        self.text = text
        self.field = field
    }

    var testDescription: String { String(text.prefix(120)) }

    func check<Message: RemoteMessage>(_: Message.Type) throws {
        // The text begins with its type.
        let type = String(try #require(text.split(separator: "\"").dropFirst(3).first))
        #expect(throws: RemoteWireError.malformed(type: type, field: field)) {
            try Message(parsing: Array(text.utf8))
        }
    }
}
