internal import HelioAppModels
internal import HelioDesktopFlow
internal import HelioGTK
internal import HelioHostFlow

/// The page to share this machine: the switch, the links, the viewers, and the choices.
@MainActor
final class SharePage {
    let widget: Widget
    private let flow: HostFlow
    private let words: DesktopWords
    private let state: Row
    private let toggle: Switch
    private let failure = Label("")
    private let note = Label("")
    private let question: QuestionView
    private let links: LinksView
    private let viewers: ViewersView
    private let screens: ScreensView
    private let choices: ChoicesView
    private var screen: DrivenScreen<HostMenuModel>?
    /// Called with each state, and the state before it.
    var onPage: (HostPage, HostPage) -> Void = { _, _ in }
    private var drawn: HostPage

    /// - Parameter copy: puts a text on the clipboard; the second argument names the text to the user.
    init(_ flow: HostFlow, _ words: DesktopWords, copy: @escaping (String, String) -> Void) {
        self.flow = flow
        self.words = words
        let menu = flow.menu
        drawn = menu.model.page
        toggle = Switch(isOn: drawn.isOn) { menu.press($0 ? .start : .stop) }
        state = Row(words(Phrase(.menuStart)))
        state.prepend(Icon("video-display-symbolic", size: 24))
        state.append(toggle)
        state.setActivatable(toggle)
        let top = Group()
        top.append(state)
        failure.add(style: "error")
        note.add(style: "dim-label")
        let head = Box(.down, spacing: 12)
        for part in [top, failure, note] as [Widget] { head.append(part) }
        question = QuestionView(menu, words)
        links = LinksView(words, copy: copy)
        viewers = ViewersView(menu, words)
        screens = ScreensView(menu, words)
        choices = ChoicesView(flow, words)
        let column = Box(.down, spacing: 24)
        column.setMargins(top: 24, bottom: 24, sides: 12)
        let parts = [
            head, question.widget, links.widget, viewers.widget, screens.widget, choices.widget,
        ]
        for part in parts as [Widget] { column.append(part) }
        widget = Scroll(Clamp(column))
        screen = DrivenScreen(menu) { [weak self] in self?.draw($0.page) }
        draw(drawn)
    }

    private func draw(_ page: HostPage) {
        toggle.isOn = page.isOn
        state.detail = page.isStarting ? words(page.title) : words(page.code == nil ? .notSharingText : .sharingText)
        failure.text = page.failure.map { words($0) } ?? ""
        failure.isVisible = page.failure != nil
        note.text = page.note ?? ""
        note.isVisible = page.note != nil
        question.draw(page.question)
        links.draw(page)
        viewers.draw(page)
        screens.draw(page.monitors)
        choices.draw(page)
        let before = drawn
        drawn = page
        if before != page { onPage(before, page) }
    }
}
