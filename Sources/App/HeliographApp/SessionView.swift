internal import HelioAppModels
internal import HelioDesktopFlow
internal import HelioGTK

/// The page of a session that runs in its own window: who drives, and the way out.
@MainActor
final class SessionView: DrawnView {
    let widget: Widget
    private let page: StatusPage
    private let words: DesktopWords
    private var screen: DrivenScreen<SessionModel>?

    init(_ driver: ScreenDriver<SessionModel>, _ words: DesktopWords) {
        self.words = words
        let leave = Button(words(Phrase(.sessionLeave))) { driver.press(.leave) }
        leave.add(style: "pill")
        leave.place(across: .center)
        page = StatusPage(icon: "video-display-symbolic", title: "", child: leave)
        widget = page
        screen = DrivenScreen(driver) { [weak self] in self?.draw($0) }
        draw(driver.model)
    }

    private func draw(_ model: SessionModel) {
        page.set(
            title: words(model.pictureLabel),
            description: (model.screen.message.map { words($0) + "\n" } ?? "") + words(.windowText))
    }
}
