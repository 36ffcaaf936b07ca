import Foundation
import HelioTestPrograms

/// The rules of WCAG 2.2, levels A and AA, that a program can check: axe-core, which no one here wrote.
/// script/install-peers brings it.
struct AccessibilityRules {
    private static let tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

    private let script: String

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let peers =
            ProcessInfo.processInfo.environment["HELIO_PEERS"] ?? root.appending(path: ".build/webrtc-peers").path
        let library = URL(filePath: peers).appending(path: "lib")
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: library.path)) ?? []
        let place = versions.map { library.appending(path: "\($0)/site-packages/axe_playwright_python/axe.min.js") }
            .first { FileManager.default.fileExists(atPath: $0.path) }
        guard let place else { throw BrowserError(description: "no axe-core: run script/install-peers") }
        script = try String(contentsOf: place, encoding: .utf8)
    }

    /// What is against the rules in a page as it is shown now: the rule, the element, and why.
    func offences(in page: Page) throws -> [String] {
        if try page.evaluate("typeof axe === 'undefined'") { try page.run(script + "; 0") }
        return try page.evaluate(
            """
            axe.run(document, {
                runOnly: {type: "tag", values: \(Self.tags)}, resultTypes: ["violations"],
                // Off by itself, as it is new.
                rules: {"target-size": {enabled: true}},
            }).then(({violations}) => violations.flatMap(({id, nodes}) => nodes.map(({target, any, all, none}) =>
                `${id}: ${target.join(" ")}: ${[...any, ...all, ...none].map(({message}) => message).join("; ")}`)))
            """)
    }

    /// What sticks out of the page to the left or the right, where nobody sees it and nothing scrolls.
    func overhangs(in page: Page) throws -> [String] {
        try page.evaluate(
            """
            [...document.querySelectorAll("button, input, p, h1, h2, legend, dt, dd, li, label")].filter((element) => {
                const {left, right, width} = element.getBoundingClientRect();
                const isSeen = element.checkVisibility({visibilityProperty: true}) && width > 1;
                return isSeen && !element.closest(".unseen, .key-row, #stage") && (left < -1 || right > innerWidth + 1);
            }).map((element) => element.id || element.textContent.trim())
            """)
    }
}
