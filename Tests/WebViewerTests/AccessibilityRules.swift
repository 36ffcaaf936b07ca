import Foundation
import HelioTestPrograms

/// The automatically checkable rules of WCAG 2.2, levels A and AA, by the third-party checker axe-core, which
/// script/install-peers installs.
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

    /// The violations on a page in its present state: the rule, the element, and the reason.
    func offences(in page: Page) throws -> [String] {
        if try page.evaluate("typeof axe === 'undefined'") { try page.run(script + "; 0") }
        return try page.evaluate(
            """
            axe.run(document, {
                runOnly: {type: "tag", values: \(Self.tags)}, resultTypes: ["violations"],
                // axe-core disables this rule by default, because the rule is new (WCAG 2.2).
                rules: {"target-size": {enabled: true}},
            }).then(({violations}) => violations.flatMap(({id, nodes}) => nodes.map(({target, any, all, none}) =>
                `${id}: ${target.join(" ")}: ${[...any, ...all, ...none].map(({message}) => message).join("; ")}`)))
            """)
    }

    /// The elements that extend beyond the page's left or right edge, where they are invisible and can't be scrolled
    /// to.
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
