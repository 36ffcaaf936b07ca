import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// The page's accessibility: the checkable rules of WCAG 2.2, and operation by keyboard alone.
@Suite("In a browser: for everybody", .serialized, .timeLimit(.minutes(5)), .tags(.quiet))
struct AccessibilityTests {
    struct Look: CustomTestStringConvertible {
        var testDescription: String
        var language: String
        var page: PageLook
    }

    private static let looks = [
        Look(testDescription: "a desktop", language: "en", page: .desktop),
        Look(
            testDescription: "a dark desktop, at twice the size", language: "de",
            page: PageLook(width: 640, height: 400, scale: 2, dark: true)),
        Look(
            testDescription: "a phone", language: "de",
            page: PageLook(width: 360, height: 640, scale: 3, mobile: true, touch: true)),
        Look(
            testDescription: "a dark phone", language: "en",
            page: PageLook(width: 360, height: 640, scale: 3, mobile: true, touch: true, dark: true)),
        Look(
            testDescription: "a desktop at four times the size", language: "de",
            page: PageLook(width: 320, height: 256, scale: 4)),
    ]

    private static func show(_ ids: String...) -> String {
        ids.map { "document.querySelector('#\($0)').hidden = false; " }.joined()
    }
    private static func hide(_ ids: String...) -> String {
        ids.map { "document.querySelector('#\($0)').hidden = true; " }.joined()
    }
    private static func press(_ id: String) -> String { "document.querySelector('#\(id)').click(); " }
    private static func write(_ text: String, to id: String) -> String {
        "document.querySelector('#\(id)').textContent = '\(text)'; "
    }

    /// The states before admission; each is reached by the script from the one before. Actions of a host or another
    /// viewer are simulated on the page.
    private static let before = [
        ("asked for the code", ""),
        ("asked for a name", show("pair-form", "pair-kept", "pair-visit", "secure-offer")),
        (
            "a code that is none",
            "document.querySelector('#code').value = 'A'; document.querySelector('#code-form').requestSubmit()"
        ),
        (
            "codes are compared",
            hide("code-form", "pair-form", "secure-offer") + show("compare") + write("012 345", to: "digits")
        ),
        ("the picture wants a press", hide("compare") + show("play", "progress")),
        ("it has ended", hide("play", "progress") + show("again", "stop-button")),
    ]
    private static let inside = [
        (
            "the bar, with all that it may have",
            "document.querySelector('#top').classList.remove('is-away'); " + hide("handle")
                + show("monitors-button", "sound-button", "copy-button") + write("Copy text", to: "copy-text")
                + "document.querySelector('#copy-button').setAttribute('aria-label', 'Copy text')"
        ),
        ("who watches", press("people-button")),
        ("size and quality", press("size-button")),
        (
            "more, with all that it may have",
            press("more-button")
                + "document.querySelectorAll('#more [hidden]:not(input)').forEach((one) => one.hidden = false)"
        ),
        ("statistics", press("more-button") + press("statistics-button")),
        ("special keys beside them", press("keys-button")),
        ("what fingers do", press("keys-button") + press("statistics-button") + press("more-hint")),
        (
            "a wish and a note",
            press("hint-close") + show("request", "note", "note-action")
                + write("Somebody wants to drive.", to: "request-text") + write("Said.", to: "note-text")
                + write("Ask", to: "note-action")
        ),
        (
            "files on their way, and offered",
            hide("request", "note") + show("offer") + write("The host wants to send photo.jpg.", to: "offer-text")
                + """
                const transfer = new DataTransfer();
                transfer.items.add(new File(["text"], "A name of a file that is long enough to be cut off here.txt"));
                document.querySelector("#stage").dispatchEvent(
                    new DragEvent("drop", {dataTransfer: transfer, bubbles: true, cancelable: true}));
                document.querySelector("#files").hidden = false;
                """
        ),
        (
            "the handle",
            hide("offer", "files") + "document.querySelector('#top').classList.add('is-away'); " + show("handle")
        ),
        ("the host is looked for", "document.body.dataset.screen = 'retrying'; " + show("again", "stop-button")),
    ]

    @Test("nothing is against the rules, and nothing sticks out, in any state", arguments: looks)
    func rules(look: Look) throws {
        let rules = try AccessibilityRules()
        let desktop = try WebDesktop()
        let page = try Browser().page(look.page)
        try page.before("Object.defineProperty(navigator, 'languages', {get: () => ['\(look.language)']})")
        func check(_ states: [(name: String, script: String)]) throws {
            for state in states {
                try page.run("(() => { \(state.script) })(); 0")
                // Wait for the end of all animations except the endless ones.
                try page.until(
                    "document.getAnimations().every(({effect}) => effect.getTiming().iterations === Infinity)")
                #expect(try rules.offences(in: page) == [], "\(state.name)")
                #expect(try rules.overhangs(in: page) == [], "\(state.name)")
            }
        }
        try page.open(desktop.address)
        try page.until("document.body.dataset.screen === 'ask'")
        #expect(try page.evaluate("document.documentElement.lang", as: String.self) == look.language)
        try check(Self.before)
        try page.open("about:blank")
        try page.open(try desktop.newLink())
        try WebViewer(page, of: desktop.size).waitForPicture()
        try check(Self.inside)
        #expect(try page.problems() == [])
    }

    @Test("what is against a rule is found")
    func planted() throws {
        let rules = try AccessibilityRules()
        let desktop = try WebDesktop()
        let page = try Browser().page()
        try page.open(desktop.address)
        try page.until("document.body.dataset.screen === 'ask'")
        try page.run(
            """
            for (const [tag, text, style] of [
                ["button", "", {}], ["p", "Pale", {color: "#cccccc", background: "#ffffff"}],
                ["p", "Far out", {position: "fixed", left: "95vw", width: "400px"}],
            ]) {
                const element = document.createElement(tag);
                element.textContent = text;
                Object.assign(element.style, style);
                document.querySelector("#card").append(element);
            }
            0
            """)
        let offences = try rules.offences(in: page)
        #expect(
            offences.contains { $0.hasPrefix("button-name") } && offences.contains { $0.hasPrefix("color-contrast") })
        #expect(try rules.overhangs(in: page) == ["Far out"])
    }

    /// The focused element: its id, and whether the focus is visible.
    private struct Focus: Decodable {
        var id: String
        var isMarked: Bool
        var isInSight: Bool
    }

    private static func focus(_ page: Page) throws -> Focus {
        try page.evaluate(
            """
            (() => {
                const element = document.activeElement, {x, y, width, height} = element.getBoundingClientRect();
                const top = document.elementFromPoint(x + width / 2, y + height / 2);
                const {outlineStyle, outlineWidth} = getComputedStyle(element);
                return {
                    id: element.id || element.name || element.textContent.trim(),
                    isMarked: element.matches(":focus-visible") && outlineStyle !== "none" && parseFloat(outlineWidth) >= 2,
                    isInSight: element.contains(top) || top?.closest("label")?.contains(element) === true,
                };
            })()
            """)
    }

    @Test("by keys alone: out of the picture, through all there is, and back; each stop is seen")
    func keys() throws {
        let desktop = try WebDesktop()
        let page = try Browser().page()
        try page.open(try desktop.newLink())
        try WebViewer(page, of: desktop.size).waitForPicture()
        // The picture has the focus: keys go to the host, and the page shows this and the shortcut to leave.
        let isEntered = "document.querySelector('#stage').classList.contains('is-entered')"
        try page.until("document.activeElement.id === 'typing' && \(isEntered)")
        try page.until("document.querySelector('#note-text').textContent.includes('Ctrl+Alt+Shift+H')")
        try page.strike(.tab)
        #expect(try Self.focus(page).id == "typing")

        try page.strike(.control, .alt, .shift, .letter("h"))
        try page.until("document.activeElement.id === 'people-button'")
        #expect(try page.evaluate("!\(isEntered)"))
        var stops: [String] = []
        for _ in 0..<12 {
            let focus = try Self.focus(page)
            #expect(focus.isMarked && focus.isInSight, "\(focus)")
            stops.append(focus.id)
            if focus.id == "more-button" { break }
            try page.strike(.tab)
        }
        // Present only if the machine has sound.
        stops.removeAll { $0 == "sound-button" }
        #expect(
            stops.suffix(5) == ["size-button", "keys-button", "statistics-button", "full-button", "more-button"],
            "\(stops)")

        // A panel: opened by its button, tabbed through, and left to its button.
        try page.strike(.enter)
        try page.until("document.querySelector('#more').contains(document.activeElement)")
        for _ in 0..<40 {
            let focus = try Self.focus(page)
            #expect(focus.isMarked && focus.isInSight, "\(focus)")
            if focus.id == "more-leave" { break }
            try page.strike(.tab)
        }
        #expect(try Self.focus(page).id == "more-leave")
        try page.strike(.escape)
        #expect(try Self.focus(page).id == "more-button")
        try page.until("document.querySelector('#more').hidden")

        // An option is changed by arrow keys, and stored.
        try page.run("document.querySelector('#size-button').focus(); 0")
        try page.strike(.enter)
        try page.until("document.activeElement.value === 'fit'")
        try page.strike(PhysicalKey(code: "ArrowDown", key: "ArrowDown", number: 40))
        try page.until("document.activeElement.value === 'fill' && document.activeElement.checked")
        try page.strike(.escape)
        try page.strike(.escape)
        try page.until("document.activeElement.id === 'typing' && \(isEntered)")
        #expect(try page.evaluate("JSON.parse(localStorage['heliograph.settings']).size", as: String.self) == "fill")
        // With a mouse, none of these marks are visible.
        try page.move(Place(x: 640, y: 400))
        try page.until("!\(isEntered)")
        #expect(try page.problems() == [])
    }
}
