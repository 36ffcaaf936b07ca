package import HelioAppModels

/// An event of sharing that the user has to hear of while the app's window is not in front.
package enum HostNews: Hashable, Sendable {
    case came(String)
    case left(String)
    /// A question waits for an answer, with the actions of its buttons.
    case asks(Phrase, yes: HostMenuModel.Action, no: HostMenuModel.Action)
    /// The question was answered, or is obsolete.
    case answered
    /// Sharing has ended, for this reason.
    case failed(Phrase)

    /// Returns the news between two states, in the order in which they are told.
    package static func between(_ before: HostPage, _ after: HostPage) -> [HostNews] {
        var news: [HostNews] = []
        let (old, new) = (Set(before.viewers.map(\.number)), Set(after.viewers.map(\.number)))
        news += after.viewers.filter { !old.contains($0.number) }.map { .came($0.name) }
        // The end of sharing is no news about each viewer.
        if after.code != nil { news += before.viewers.filter { !new.contains($0.number) }.map { .left($0.name) } }
        if before.question != after.question {
            if !before.question.isEmpty, after.question.isEmpty { news.append(.answered) }
            if let asked = question(of: after) { news.append(asked) }
        }
        if let failure = after.failure, failure != before.failure { news.append(.failed(failure)) }
        return news
    }

    private static func question(of page: HostPage) -> HostNews? {
        var text: Phrase?
        var (yes, no): (HostMenuModel.Action?, HostMenuModel.Action?)
        for element in page.question {
            switch element {
            case .warning(let phrase): text = phrase
            case .button(let action, _, .prominent): yes = action
            case .button(let action, _, .cancel): no = action
            default: break
            }
        }
        guard let text, let yes, let no else { return nil }
        return .asks(text, yes: yes, no: no)
    }
}
