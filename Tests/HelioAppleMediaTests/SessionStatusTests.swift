import HelioAppleMedia
import Testing

@Suite("The status of a session")
struct SessionStatusTests {
    @Test(
        "what something is done about is told apart from what is only told",
        arguments: [
            (0, SessionStatus.done), (-12903, .invalidSession), (-12900, .unsupportedProperty), (-12909, .badData),
            (-12906, .noCoder), (-12902, .other(-12902)),
        ] as [(Int32, SessionStatus)])
    func codes(code: Int32, status: SessionStatus) {
        #expect(SessionStatus(code) == status)
    }
}
