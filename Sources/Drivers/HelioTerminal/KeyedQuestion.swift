package import HelioCore

/// A question at the terminal that one key answers, and the rule by which a key counts as the answer.
///
/// A key typed just as the question appears was meant for something else, so the question has to be visible for the
/// reading time first. A key typed after a question vanished unanswered may be meant for that one, so the next question
/// is only announced until the user asks to see it.
package struct KeyedQuestion<Question: Sendable>: Sendable {
    /// The meaning of a typed key.
    package enum Meaning: Sendable {
        /// An answer to this question.
        case answer(Question)
        /// No answer: the question appeared only just.
        case tooSoon(Question)
        /// No answer: the key may be meant for a question that vanished. This one is announced, but not shown yet.
        case forAnother(Question)
        /// No answer: there is no question.
        case nothing
    }

    private let readingTime: Duration
    /// The unanswered question, and the instant at which it was shown.
    private var open: (question: Question, shown: Instant)?
    /// True once a question has vanished unanswered, until the user asks to see the next one.
    private var isForAnother = false

    /// - Parameter readingTime: the time that a question has to be visible before a key counts as its answer.
    package init(readingTime: Duration) { self.readingTime = readingTime }

    /// The unanswered question.
    package var question: Question? { open?.question }

    /// Puts a question in the place of the last one. Returns true if it is to be shown; false if it is only to be
    /// announced, because typed keys may be meant for one that vanished.
    package mutating func ask(_ question: Question, now: Instant) -> Bool {
        if open != nil { isForAnother = true }
        open = (question, now)
        return !isForAnother
    }

    /// Removes the question unanswered.
    package mutating func withdraw() {
        guard open != nil else { return }
        open = nil
        isForAnother = true
    }

    /// Returns an announced question that the user asks to see; `nil` if none is hidden. It counts as shown from now.
    package mutating func show(now: Instant) -> Question? {
        guard isForAnother, let question = open?.question else { return nil }
        isForAnother = false
        open = (question, now)
        return question
    }

    /// Says what a key typed now means.
    package func meaning(now: Instant) -> Meaning {
        guard let (question, shown) = open else { return .nothing }
        if isForAnother { return .forAnother(question) }
        return now - shown < readingTime ? .tooSoon(question) : .answer(question)
    }

    /// Removes the question after its answer.
    package mutating func close() { open = nil }
}
