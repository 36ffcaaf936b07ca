import HelioRemoteWire
import Testing

@Suite("Remote messages")
struct RemoteMessageTests {
    /// Text and keys may be a password; tickets and credentials let somebody in.
    @Test func descriptionsAreSilent() {
        let secret: [UInt8] = [0xDE, 0xAD, 0xBE, 0xEF, 222, 173, 190, 239]
        let stroke = KeyStroke(usage: 0x15)
        let entry = ICEServerEntry(urls: ["turn:turn.example"], username: "u", credential: "hunter2")
        let silent: [Any] = [
            ViewerMessage.text("hunter2"), ViewerMessage.keyDown(stroke), stroke, HostMessage.ticket(secret),
            HostMessage.paired(device: secret, secret: secret), entry,
            SignalingMessage.admitted(.init(proof: secret, control: true, iceServers: [entry])),
            RemoteWireError.unknownType("hunter2"), [stroke], [entry],
        ]
        for value in silent {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                for word in ["hunter2", "222", "0x15", "21"] { #expect(!text.contains(word), "\(word) in: \(text)") }
            }
        }
    }
}
