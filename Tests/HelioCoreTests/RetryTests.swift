import HelioCore
import Testing

struct RetryTests {
    @Test func waitsGrow() {
        var retry = Retry(first: .milliseconds(500), longest: .seconds(8))
        #expect((0..<6).map { _ in retry.next() } == [500, 1000, 2000, 4000, 8000, 8000].map { .milliseconds($0) })
        retry.succeeded()
        #expect(retry.next() == .milliseconds(500))
    }

    /// A longer delay that the server requests is followed up to a limit, and counts as any other attempt.
    @Test func waitsAsked() {
        var retry = Retry(first: .milliseconds(500), longest: .seconds(8))
        #expect(retry.next(atLeast: .seconds(30)) == .seconds(30))
        #expect(retry.next(atLeast: .milliseconds(1)) == .seconds(1))
        #expect(retry.next(atLeast: .seconds(1_000_000)) == .seconds(120))
        #expect(retry.next() == .seconds(4))
    }
}
