import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// Text typed in the page arrives in a real X client of the host, for all combinations of layouts. The browser's key
/// events are made from the layout of an X server, as a headless browser's keyboard has none.
@Suite("In a browser: keyboard layouts", .serialized, .timeLimit(.minutes(4)), .tags(.quiet))
struct LayoutTests {
    private struct Rig {
        let desktop: WebDesktop
        let client: KeyClient
        let browser: Browser
        let viewer: WebViewer
        let reference: Desktop
        let witness: KeyClient

        init() throws {
            desktop = try WebDesktop()
            client = try KeyClient(desktop.screen, desktop.size)
            browser = try Browser()
            viewer = try desktop.viewer(browser)
            try viewer.click(x: 400, y: 300)
            reference = try Desktop(desktop.size)
            witness = try KeyClient(reference, desktop.size)
        }

        /// Types keys in the page by the reference's layout; returns the text that arrived.
        ///
        /// Each stroke waits for the press of the one before, as the host may have to change its keymap for a
        /// character, and a client that is still reading the keymap may miss a further change.
        func type(_ strokes: [(stroke: Desktop.Stroke, character: Unicode.Scalar)]) throws -> String {
            var typed = String.UnicodeScalarView()
            for (stroke, character) in strokes {
                let isShifted = stroke.held.contains(Desktop.shift)
                if isShifted { try viewer.page.press(.shift) }
                try viewer.page.strike(
                    PhysicalKey(code: LayoutTests.codes[stroke.keycode] ?? "", key: String(character), number: 0))
                if isShifted { try viewer.page.release(.shift) }
                if let character = try client.typed() { typed.append(character) }
            }
            // Return arrives after everything that the page sent before it, such as the last key release.
            try viewer.page.strike(.enter)
            return String(typed) + (try client.typedUntilReturn())
        }
    }

    /// The `KeyboardEvent.code` values of an X server's keycodes.
    private static let codes: [UInt8: String] = {
        var codes: [UInt8: String] = [:]
        let rows: [(UInt8, String)] = [
            (10, "1 2 3 4 5 6 7 8 9 0 Minus Equal"), (24, "Q W E R T Y U I O P BracketLeft BracketRight"),
            (38, "A S D F G H J K L Semicolon Quote Backquote"), (51, "Backslash Z X C V B N M Comma Period Slash"),
        ]
        for (first, names) in rows {
            for (index, name) in names.split(separator: " ").enumerated() {
                let isDigit = name.first?.isNumber == true
                codes[first + UInt8(index)] = name.count > 1 ? String(name) : (isDigit ? "Digit" : "Key") + name
            }
        }
        let others: [UInt8: String] = [
            65: "Space", 94: "IntlBackslash", 97: "IntlRo", 132: "IntlYen", 63: "NumpadMultiply", 82: "NumpadSubtract",
            86: "NumpadAdd", 106: "NumpadDivide", 91: "NumpadDecimal",
        ]
        return codes.merging(others) { $1 }
    }()

    @Test("keys and text arrive, of each layout, at hosts of another and with locks on", arguments: 0..<12)
    func characters(index: Int) throws {
        let all = KeyboardLayout.all
        let layout = all[index]
        let rig = try Rig()
        try rig.reference.setLayout(layout.name)
        let known = try KeyboardLayout.strokes(rig.reference, rig.witness).filter {
            Self.codes[$0.stroke.keycode] != nil
        }
        #expect(known.count > 90, "\(layout): \(known.count)")
        let wanted = String(String.UnicodeScalarView(known.map(\.character)))
        for host in Set([all[(index + 1) % all.count].name, "us"]).sorted() {
            try rig.desktop.screen.setLayout(host)
            // The browser's locks are off: they are sent when the page has the keyboard again.
            try rig.desktop.screen.lock(caps: true, num: true)
            try rig.viewer.page.run("window.dispatchEvent(new Event('blur'))")
            #expect(try rig.type(known) == wanted, "\(layout) at \(host)")
            #expect(try rig.desktop.screen.modifiers() == 0)
            try rig.desktop.screen.lock(caps: true, num: false)
            try rig.viewer.page.insert(wanted)
            try rig.viewer.page.strike(.enter)
            let inserted = try rig.client.typedUntilReturn()
            #expect(inserted == wanted, "\(layout) as text at \(host)")
        }
        #expect(try rig.viewer.page.problems() == [])
    }

    @Test("by place the host's layout says what keys make; the choice is remembered")
    func places() throws {
        let rig = try Rig()
        try rig.desktop.screen.setLayout("de")
        let z = [(stroke: Desktop.Stroke(29), character: Unicode.Scalar("y"))]
        #expect(try rig.type(z) == "y")
        for expected in ["z", "y"] {
            try rig.viewer.page.run("document.querySelector('#more-place').click()")
            try rig.viewer.page.run("document.querySelector('#typing').focus()")
            #expect(try rig.type(z) == expected)
            let kept = try rig.viewer.page.evaluate(
                "JSON.parse(localStorage.getItem('heliograph.settings')).keys", as: String.self)
            #expect(kept == (expected == "z" ? "place" : "character"))
        }
    }
}
