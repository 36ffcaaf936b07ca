import Testing

@testable import HelioTerminal

@Suite("The word that was meant")
struct NearestWordTests {
    static let words = ["share", "view", "send", "get", "discover", "pair", "devices", "watchdog", "webrtc"]

    @Test(
        arguments: [
            ("shar", "share"), ("Share", "share"), ("sahre", "share"), ("veiw", "view"), ("device", "devices"),
            ("dicsovr", "discover"), ("got", "get"), ("version", nil), ("", nil), ("banana", nil),
            (String(repeating: "share", count: 1000), nil),
        ] as [(String, String?)])
    func nearest(typed: String, word: String?) {
        #expect(NearestWord.find(typed, in: Self.words) == word)
    }
}
