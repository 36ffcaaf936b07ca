import HelioJSON
import HelioRemoteWire
import Testing

@Suite("Remote messages")
struct RemoteMessageTests {
    /// Descriptions hide secrets: text and keys may be a password, tickets and credentials give access.
    @Test func descriptionsAreSilent() {
        let secret: [UInt8] = [0xDE, 0xAD, 0xBE, 0xEF, 222, 173, 190, 239]
        let stroke = KeyStroke(usage: 0x15)
        let entry = ICEServerEntry(urls: ["turn:turn.example"], username: "u", credential: "hunter2")
        let silent: [Any] = [
            ViewerMessage.text("hunter2"), ViewerMessage.keyDown(stroke), stroke, HostMessage.ticket(secret),
            HostMessage.paired(device: secret, secret: secret), entry,
            SignalingMessage.admitted(.init(proof: secret, control: true, iceServers: [entry])),
            RemoteWireError.unknownType("hunter2"),
            NumberedInputs(first: 0, inputs: [.text("hunter2"), .keyUp(stroke)], sentAt: 0), [stroke], [entry],
        ]
        for value in silent {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                for word in ["hunter2", "222", "0x15", "21"] { #expect(!text.contains(word), "\(word) in: \(text)") }
            }
        }
        #expect("\(ViewerMessage.text("hunter2"))" == "text")
    }

    /// The error reported to the sender for each kind of junk: enough to fix it, without parts of the input.
    @Test(
        arguments: [
            ("{", .notJSON, nil, "not JSON: truncated at 1"),
            (#"{"type":"ping","id":1,"id":2}"#, .notJSON, nil, "not JSON: duplicate-name at 22"),
            ("[]", .untyped, nil, "not an object with a type"),
            (#"{"type":"dance"}"#, .unknownType, "dance", "unknown type"),
            (#"{"type":"ping","id":"hunter2"}"#, .malformed, "ping", "bad or missing field: id"),
        ] as [(String, RemoteWireError.Reason, String?, String)])
    func answers(text: String, reason: RemoteWireError.Reason, about: String?, message: String) throws {
        let error = try #require(#expect(throws: RemoteWireError.self) { try ViewerMessage(parsing: Array(text.utf8)) })
        #expect(error.reason == reason)
        #expect(error.about == about)
        #expect(error.answer == RemoteErrorReport(message: message, about: about))
        #expect("\(error)" == reason.rawValue)
        let answer = HostMessage.error(error.answer)
        #expect(try HostMessage(parsing: answer.serialised()) == answer)
    }
}
