import HelioCore
import Testing

@testable import HelioTerminal

@Suite("What fails over and over is said now and then")
struct RepeatedNewsTests {
    private static func at(_ seconds: Int) -> Instant { Instant.zero + .seconds(seconds) }

    @Test("at once, then at longer and longer intervals")
    func intervals() {
        var news = RepeatedNews()
        let printed = (0..<1000).filter { news.isNews("no answer", of: "a", now: Self.at($0)) }
        #expect(printed == [0, 30, 90, 210, 450, 930])
    }

    @Test("another reason, another destination and a failure after a success are said at once")
    func news() {
        var news = RepeatedNews()
        func isNews(_ text: String, _ name: String, _ second: Int) -> Bool {
            news.isNews(text, of: name, now: Self.at(second))
        }
        #expect(isNews("no answer", "a", 0))
        #expect(!isNews("no answer", "a", 1))
        #expect(isNews("wrong key", "a", 2))
        #expect(isNews("wrong key", "b", 2))
        news.succeed("a")
        #expect(isNews("wrong key", "a", 3))
        #expect(!isNews("wrong key", "b", 3))
    }
}
