import HelioBroadcast
import Testing

struct SRTFailureTests {
    @Test(
        arguments: [
            (10, .badPassphrase), (11, .passphraseMismatch), (8, .incompatible), (17, .incompatible),
            (1401, .unauthorized), (1403, .unauthorized), (1404, .notFound), (2, .refused(2)), (1000, .refused(1000)),
            (2345, .refused(2345)),
        ] as [(Int, SRTFailure)])
    func final(code: Int, failure: SRTFailure) {
        #expect(SRTFailure(rejection: code) == failure)
        #expect(failure.failure.isFinal)
    }

    /// Codes that are retried: no answer, no room, or the previous connection still open.
    @Test(arguments: [0, 1, 3, 4, 5, 16, 1402, 1409, 1423, 1500, 1503])
    func tryAgain(code: Int) {
        #expect(!SRTFailure(rejection: code).failure.isFinal)
    }
}
