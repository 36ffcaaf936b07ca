internal import HelioAppModels
internal import HelioDesktopFlow
internal import HelioGTK
private import HelioHostFlow

/// Tells the user what happens while this machine is shared: by notifications of the desktop while the window is not in
/// front, and by short messages in it.
@MainActor
final class Notifier {
    private static let question = "question"
    private let desktop: Desktop
    private let window: HomeWindow
    private var answers: (yes: HostMenuModel.Action, no: HostMenuModel.Action)?

    init(_ desktop: Desktop, _ window: HomeWindow) {
        self.desktop = desktop
        self.window = window
        window.onPage { [weak self] before, after in self?.tell(before, after) }
        desktop.app.addAction("answer-yes") { [weak self] in self?.answer { $0.yes } }
        desktop.app.addAction("answer-no") { [weak self] in self?.answer { $0.no } }
    }

    private func tell(_ before: HostPage, _ after: HostPage) {
        desktop.showInTray(after)
        for news in HostNews.between(before, after) { tell(news, asked: after.question) }
    }

    private func tell(_ news: HostNews, asked: [ScreenElement<HostMenuModel.Action, NoField>]) {
        let words = desktop.words
        switch news {
        case .came(let name): notify("viewer", words(.somebodyCame, name))
        case .left(let name): notify("viewer", words(.somebodyLeft, name))
        case .failed(let reason): notify("state", words(.stoppedSharing), words(reason))
        case .answered:
            answers = nil
            window.setAttention(false)
            desktop.app.withdraw(id: Self.question)
        case .asks(let text, let yes, let no):
            answers = (yes, no)
            window.setAttention(true)
            if desktop.isInFront { return window.showSharing() }
            // Digits are compared in the notification as well: its buttons are the answers.
            var body = words(text)
            for case .digits(let digits) in asked { body += "\n" + digits }
            desktop.app.notify(
                id: Self.question, title: words(.somebodyAsks), text: body,
                buttons: Self.labels(asked, words).map { ($0.text, $0.isYes ? "answer-yes" : "answer-no") })
        }
    }

    private static func labels(
        _ asked: [ScreenElement<HostMenuModel.Action, NoField>], _ words: DesktopWords
    ) -> [(text: String, isYes: Bool)] {
        asked.compactMap {
            if case .button(_, let label, let role) = $0 { (words(label), role == .prominent) } else { nil }
        }
    }

    private func notify(_ id: String, _ title: String, _ text: String = "") {
        if desktop.isInFront { return window.toast(title) }
        desktop.app.notify(id: id, title: title, text: text)
    }

    private func answer(_ choose: ((yes: HostMenuModel.Action, no: HostMenuModel.Action)) -> HostMenuModel.Action) {
        guard let answers else { return }
        desktop.host.menu.press(choose(answers))
    }
}
