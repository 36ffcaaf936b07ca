import HelioSRTLink
import Testing

struct SRTRefusalTests {
    @Test(
        arguments: [
            (10, .badPassphrase), (11, .passphraseMismatch), (8, .incompatible), (1401, .unauthorized),
            (1403, .unauthorized), (1404, .notFound), (2, .other(2)), (1000, .other(1000)), (2345, .other(2345)),
        ] as [(Int, SRTRefusal)])
    func final(code: Int, refusal: SRTRefusal) {
        #expect(SRTRefusal(rejection: code) == refusal)
    }

    /// Nobody answered, no room now, the last connection is still there.
    @Test(arguments: [0, 1, 3, 4, 5, 16, 1402, 1409, 1423, 1500, 1503])
    func tryAgain(code: Int) {
        #expect(SRTRefusal(rejection: code) == nil)
    }

    @Test func waitsGrow() {
        var retry = SRTRetry()
        #expect((0..<6).map { _ in retry.next() } == [500, 1000, 2000, 4000, 8000, 8000].map { .milliseconds($0) })
        retry.succeed()
        #expect(retry.next() == .milliseconds(500))
    }
}
