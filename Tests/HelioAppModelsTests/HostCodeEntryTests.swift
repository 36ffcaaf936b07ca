import HelioAppModels
import HelioScreenReading
import Testing

/// A code that is typed in place of an address.
struct HostCodeEntryTests {
    private let t: Terminal<HostListModel>
    private let studio = ListedHost(name: "Studio", address: "10.0.0.2:7236", fingerprint: "aa")

    init() throws { t = Terminal(HostListModel(), try TextTable()) }

    private func open(_ text: String) -> [HostListModel.Effect] {
        #expect(t.write(text, in: "Address") && t.press("Open"))
        return t.taken()
    }

    @Test("a code opens the only host here") func only() {
        t.happens(.found([studio]))
        #expect(open(" abcd-efgh jkmn-pqrs ") == [.join(studio, code: "ABCDEFGHJKMNPQRS")])
        #expect(t.text.contains("Address: [192.168.1.20]"), "The field is empty again.")
    }

    @Test("without a host, or among several, the screen says what to do until the text changes") func several() {
        #expect(open("ABCD-EFGH-JKMN-PQRS") == [])
        #expect(t.text.contains("! A code belongs to one host."))
        #expect(t.write("10", in: "Address") && !t.text.contains("A code belongs"))
        t.happens(.found([studio, ListedHost(name: "Attic", address: "10.0.0.3:7236")]))
        #expect(open("ABCD-EFGH-JKMN-PQRS") == [] && t.text.contains("! A code belongs to one host."))
    }

    @Test(
        "names and addresses are no codes", arguments: ["workstation12345", "ab-cd", "studio-mac-mini-one", "10.0.0.2"])
    func names(_ text: String) {
        t.happens(.found([studio]))
        #expect(open(text) == [.open(ListedHost(name: text, address: text))])
    }
}
