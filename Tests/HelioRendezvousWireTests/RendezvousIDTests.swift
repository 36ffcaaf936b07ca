import HelioRendezvousWire
import Testing

@Suite("Names of devices, tokens and tags")
struct RendezvousIDTests {
    @Test("A name is 26 letters, and is read in either case")
    func text() {
        #expect(Examples.device.text.utf8.count == 26)
        #expect(Examples.device.text == Examples.device.text.lowercased())
        #expect(RendezvousID(Examples.device.text) == Examples.device)
        #expect(RendezvousID(Examples.device.text.uppercased()) == Examples.device)
    }

    @Test("Other texts are no names")
    func wrongTexts() {
        let text = Examples.device.text
        for wrong in ["", String(text.dropLast()), text + "0", "-" + text.dropFirst(), "u" + text.dropFirst()] {
            #expect(RendezvousID(wrong) == nil)
        }
        // The last letter has only three bits of the name; the two others are 0.
        #expect(RendezvousID(String(repeating: "0", count: 25) + "1") == nil)
    }

    @Test("Names, tokens and tags have 16 bytes")
    func lengths() {
        for count in [0, 15, 17] {
            let bytes = Examples.bytes(count, from: 0)
            #expect(RendezvousID(bytes) == nil && RingToken(bytes) == nil && RingTag(bytes) == nil)
        }
    }

    @Test("A token does not show itself")
    func secrecy() {
        #expect("\(Examples.token)" == "<token>")
    }

    @Test("The signed text separates its parts")
    func registration() {
        let text = RegistrationText.bytes(authority: "a.example:443", nonce: [1, 2])
        #expect(text == Array("Heliograph rendezvous 1\0a.example:443\0".utf8) + [1, 2])
    }
}
