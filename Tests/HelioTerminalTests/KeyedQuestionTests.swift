import HelioCore
import Testing

@testable import HelioTerminal

@Suite("A key answers the question that was read")
struct KeyedQuestionTests {
    private static func at(_ milliseconds: Int) -> Instant { Instant.zero + .milliseconds(milliseconds) }

    private static func name(_ meaning: KeyedQuestion<String>.Meaning) -> String {
        switch meaning {
        case .answer(let question): "answers \(question)"
        case .tooSoon(let question): "too soon for \(question)"
        case .forAnother(let question): "not shown: \(question)"
        case .nothing: "nothing"
        }
    }

    @Test("once it could be read, and only once")
    func readingTime() {
        var asked = KeyedQuestion<String>(readingTime: .seconds(1))
        #expect(Self.name(asked.meaning(now: Self.at(0))) == "nothing")
        let isShown = asked.ask("laptop", now: Self.at(500))
        #expect(isShown)
        #expect(Self.name(asked.meaning(now: Self.at(500))) == "too soon for laptop")
        #expect(Self.name(asked.meaning(now: Self.at(1499))) == "too soon for laptop")
        #expect(Self.name(asked.meaning(now: Self.at(1500))) == "answers laptop")
        asked.close()
        #expect(Self.name(asked.meaning(now: Self.at(1600))) == "nothing")
        let isNextShown = asked.ask("phone", now: Self.at(2000))
        #expect(isNextShown, "one that was answered leaves no key behind")
    }

    @Test("after one that vanished, only once the next was asked for and could be read", arguments: [false, true])
    func another(isReplaced: Bool) {
        var asked = KeyedQuestion<String>(readingTime: .seconds(1))
        let isShown = asked.ask("laptop", now: Self.at(0))
        #expect(isShown)
        if !isReplaced { asked.withdraw() }
        let isNextShown = asked.ask("stranger", now: Self.at(100))
        #expect(!isNextShown)
        #expect(Self.name(asked.meaning(now: Self.at(60_000))) == "not shown: stranger")
        let seen = asked.show(now: Self.at(60_000))
        #expect(seen == "stranger")
        let seenAgain = asked.show(now: Self.at(60_500))
        #expect(seenAgain == nil, "it is read already")
        #expect(Self.name(asked.meaning(now: Self.at(60_999))) == "too soon for stranger")
        #expect(Self.name(asked.meaning(now: Self.at(61_000))) == "answers stranger")
    }

    @Test("what is withdrawn without a question hides nothing")
    func withdrawnTwice() {
        var asked = KeyedQuestion<String>(readingTime: .seconds(1))
        asked.withdraw()
        let isShown = asked.ask("laptop", now: Self.at(0))
        #expect(isShown)
    }
}
