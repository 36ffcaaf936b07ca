internal import HelioAppModels
internal import HelioDesktopFlow
internal import HelioGTK

/// The links and the code that admit the next viewer, and the QR code for a phone.
@MainActor
final class LinksView {
    let widget: Widget
    private let words: DesktopWords
    private let picture = CodePicture(size: 196)
    private let link: Row
    private let browser: Row
    private let code: Row
    private var links: SharingLinks?
    private var shownCode = ""

    init(_ words: DesktopWords, copy: @escaping (String, String) -> Void) {
        self.words = words
        link = Row(words(.link))
        browser = Row(words(.browserLink))
        code = Row(words(.code))
        let group = Group(words(.letIn), description: words(.linkHint))
        let frame = Box(.down, spacing: 8)
        frame.setMargins(bottom: 12)
        frame.place(across: .center)
        picture.add(style: "heliograph-code")
        let hint = Label(words(.scanHint))
        hint.add(style: "dim-label")
        hint.add(style: "caption")
        frame.append(picture)
        frame.append(hint)
        let column = Box(.down)
        column.append(frame)
        column.append(group)
        widget = column
        let texts: [(Row, DesktopText, () -> String?)] = [
            (link, .link, { [weak self] in self?.links?.link }),
            (browser, .browserLink, { [weak self] in self?.links.flatMap { $0.webFromAnywhere ?? $0.web } }),
            (code, .code, { [weak self] in self?.shownCode }),
        ]
        for (row, name, text) in texts {
            row.setOneLine()
            let title = words(name)
            let button = Button(icon: "edit-copy-symbolic", name: words(.copy, title)) {
                if let text = text() { copy(text, title) }
            }
            button.add(style: "flat")
            button.place(down: .center)
            row.append(button)
            row.setActivatable(button)
            group.append(row)
        }
    }

    func draw(_ page: HostPage) {
        widget.isVisible = page.code != nil
        shownCode = page.code ?? ""
        code.detail = shownCode
        guard page.links != links else { return }
        links = page.links
        link.detail = page.links?.link ?? ""
        link.isVisible = page.links != nil
        let web = page.links.flatMap { $0.webFromAnywhere ?? $0.web }
        browser.detail = web ?? ""
        browser.isVisible = web != nil
        picture.show(page.links?.forPhone ?? "", name: words(.scan))
    }
}
