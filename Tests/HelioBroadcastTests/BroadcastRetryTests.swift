import HelioBroadcast
import HelioCore
import Testing

struct BroadcastRetryTests {
    @Test func waitsGrow() {
        var retry = BroadcastRetry()
        #expect((0..<6).map { _ in retry.next() } == [500, 1000, 2000, 4000, 8000, 8000].map { .milliseconds($0) })
        retry.succeed()
        #expect(retry.next() == .milliseconds(500))
    }
}
