import HelioCore
import Testing

@Suite("Lines that strangers cause")
struct LineLimitTests {
    @Test("a flood has a few lines, and then one every 5 s with the number of those left out")
    func flood() {
        var limit = LineLimit()
        var lines: [Int] = []
        for step in 0..<12_000 {
            if let leftOut = limit.take(now: .zero + .milliseconds(step)) { lines.append(leftOut) }
        }
        #expect(lines.prefix(5) == [0, 0, 0, 0, 0])
        #expect(lines.count == 7)
        #expect((4990...5000).contains(lines[5]) && (4990...5000).contains(lines[6]))
    }

    @Test("one now and then is always told") func seldom() {
        var limit = LineLimit()
        for step in 0..<100 { #expect(limit.take(now: .zero + .seconds(5 * step)) == 0) }
    }
}
