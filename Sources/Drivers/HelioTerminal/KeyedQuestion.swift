package import HelioCore

/// A question at the terminal that one key press answers, with the rule by which a key press counts as its answer.
///
/// A key pressed just as a question appears was not meant for it, so the question first has to be visible for the
/// reading time. A key pressed after a question has vanished unanswered may be meant for that question, so the next
/// question is only announced until the user asks to see it.
package struct KeyedQuestion<Question: Sendable>: Sendable {
    /// The meaning of a typed key.
    package enum Meaning: Sendable {
        /// An answer to this question, which has been visible for the reading time.
        case answer(Question)
        /// No answer: the question has only just appeared.
        case tooSoon(Question)
        /// No answer: the key may be meant for a question that has vanished. The current question is announced, but not
        /// shown yet.
        case forAnother(Question)
        /// No answer: there is no question.
        case nothing
    }

    private let readingTime: Duration
    /// The unanswered question, and the instant at which it was shown.
    private var open: (question: Question, shown: Instant)?
    /// True once a question has vanished unanswered, until the user asks to see the next question.
    private var isForAnother = false

    /// - Parameter readingTime: the time for which a question has to be visible before a key press counts as its
    ///   answer.
    package init(readingTime: Duration) { self.readingTime = readingTime }

    /// The unanswered question.
    package var question: Question? { open?.question }

    /// Replaces the last question by a new one. Returns true if the caller has to show the question; false if the
    /// caller only has to announce it, because typed keys may be meant for a question that has vanished.
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

    /// Returns the announced question, which the user asks to see, and counts it as shown from now; `nil` if there is
    /// none.
    package mutating func show(now: Instant) -> Question? {
        guard isForAnother, let question = open?.question else { return nil }
        isForAnother = false
        open = (question, now)
        return question
    }

    /// Returns the meaning of a key pressed now.
    package func meaning(now: Instant) -> Meaning {
        guard let (question, shown) = open else { return .nothing }
        if isForAnother { return .forAnother(question) }
        return now - shown < readingTime ? .tooSoon(question) : .answer(question)
    }

    /// Removes the question after its answer.
    package mutating func close() { open = nil }
}
