import HelioCore
import HelioRemoteWire

/// Fuzzes the parsers of all messages between a browser and the host. A parsed message must survive a round trip; a
/// rejected one must produce an error message that the other end can parse.
package enum RemoteWireFuzz {
    package static func run(_ bytes: [UInt8]) {
        check(SignalingMessage.self, bytes)
        check(ViewerMessage.self, bytes)
        check(HostMessage.self, bytes)
    }

    private static func check<Message: RemoteMessage>(_: Message.Type, _ bytes: [UInt8]) {
        do {
            let message = try Message(parsing: bytes)
            let text = message.serialised()
            let again = try? Message(parsing: text)
            precondition(again == message && again?.serialised() == text, "message changed on its way")
            precondition("\(message)" == message.type, "a description says more than the type")
        } catch {
            precondition(error.about.map { (1...32).contains($0.utf8.count) } ?? true, "type is out of bounds")
            let answer = HostMessage.error(error.answer)
            precondition((try? HostMessage(parsing: answer.serialised())) == answer, "answer can't be read")
        }
    }
}
