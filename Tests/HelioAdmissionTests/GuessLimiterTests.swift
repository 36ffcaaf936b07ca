import HelioAdmission
import HelioCore
import Testing

@Suite("Tries in hand")
struct GuessLimiterTests {
    @Test("256 addresses are remembered, and who has tried least is forgotten for one more")
    func bounded() {
        var limiter = GuessLimiter()
        func takes(_ address: String) -> Int {
            var count = 0
            while limiter.take(address, now: .zero) { count += 1 }
            return count
        }
        _ = limiter.take("10.1.0.0", now: .zero)
        for number in 1...256 {
            for _ in 0..<2 { _ = limiter.take("10.0.\(number / 256).\(number % 256)", now: .zero) }
        }
        #expect(takes("10.1.0.0") == 5, "as if it had never tried")
    }

    @Test("each comes back when it has to")
    func returns() {
        var limiter = GuessLimiter(burst: 2, refill: 0.5)
        let taken = [0, 0, 1999, 2001, 2002].map { limiter.take("10.0.0.1", now: .zero + .milliseconds($0)) }
        #expect(taken == [true, true, false, true, false])
    }
}
