import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// A viewer that was admitted once reconnects by itself.
@Suite("In a browser: coming back", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct ReturningTests {
    @Test("a reload goes on without a link, any number of times")
    func reload() throws {
        let desktop = try WebDesktop()
        let browser = try Browser()
        let viewer = try desktop.viewer(browser)
        for color: UInt32 in [0x802020, 0x208020, 0x202080] {
            // The data for reconnecting must have arrived.
            try viewer.page.until("sessionStorage.length > 0")
            try viewer.page.reload()
            try viewer.waitForPicture()
            desktop.screen.fill([(color, PixelRect(x: 0, y: 0, width: 800, height: 600))])
            try viewer.waitForColor(color, x: 400, y: 300)
        }
        #expect(try viewer.page.problems() == [])
    }

    @Test(
        "who drives is asked before the page goes; a tab that was closed comes back in the next one, by the used link")
    func closedTab() throws {
        let desktop = try WebDesktop()
        let browser = try Browser()
        let context = UUID().uuidString
        let viewer = WebViewer(try browser.page(context: context), of: desktop.size)
        let link = try desktop.newLink()
        try viewer.page.open(link)
        try viewer.waitForPicture()
        try viewer.waitForControl()
        try viewer.page.until("'heliograph.places' in localStorage")
        let asks = """
            (() => {
                const event = new Event('beforeunload', {cancelable: true});
                window.dispatchEvent(event);
                return event.defaultPrevented;
            })()
            """
        #expect(try viewer.page.evaluate(asks, as: Bool.self) == false, "who only watches is not asked")
        try viewer.click(x: 400, y: 300)
        try viewer.page.until("document.querySelector('#driver').textContent === 'You are in control'")
        #expect(try viewer.page.evaluate(asks, as: Bool.self))
        try viewer.page.close()

        // The same browser by the used link, and then by the address alone.
        for address in [link, desktop.address] {
            let next = WebViewer(try browser.page(context: context), of: desktop.size)
            try next.page.open(address)
            try next.waitForPicture()
            try next.waitForColorChange(on: desktop)
            try next.page.until("'heliograph.places' in localStorage")
            #expect(try next.page.problems() == [])
            try next.page.close()
        }
        // Another browser is not admitted.
        let stranger = try browser.page()
        try stranger.open(link)
        try stranger.until("document.body.dataset.screen === 'ask'")
    }

    @Test("a ticket that was used is no use to anybody once the next one has come", .tags(.nightly))
    func ticketOnce() throws {
        let desktop = try WebDesktop()
        let browser = try Browser()
        let viewer = try desktop.viewer(browser)
        try viewer.page.until("sessionStorage.length > 0")
        let stolen = try viewer.page.evaluate("JSON.stringify({...sessionStorage})", as: String.self)
        // Its owner uses it.
        try viewer.page.reload()
        try viewer.waitForPicture()
        // The next one has ten seconds to arrive.
        try viewer.page.until("new Promise((done) => setTimeout(() => done(true), 11000))")

        let thief = try browser.page()
        try thief.before("for (const [name, value] of Object.entries(\(stolen))) sessionStorage.setItem(name, value)")
        try thief.open(desktop.address)
        try thief.until("document.body.dataset.screen === 'ask'")
        try viewer.waitForColorChange(on: desktop)
    }

    /// Pairs by comparing codes, confirmed at both ends.
    private func pair(_ desktop: WebDesktop, _ terminal: Terminal, _ viewer: WebViewer) throws {
        let page = viewer.page
        try page.open(desktop.address)
        try page.click(on: "#pair-form button")
        try page.until("/^[0-9]{3} [0-9]{3}$/.test(document.querySelector('#digits').textContent)")
        let seen = try page.text(of: "#digits")
        #expect(try desktop.host.line(with: "It must show this code").contains(seen))
        try desktop.host.line(with: "[y/w/n]")
        try terminal.type("y") { desktop.host.text.contains("may watch and control, once") }
        try page.click(on: "#compare-yes")
        try viewer.waitForPicture()
    }

    @Test("by plain HTTP a pairing lasts as long as the host runs, and is stored nowhere")
    func visit() throws {
        let terminal = try Terminal()
        let desktop = try WebDesktop(share: ["--name", "tower"], standardInput: terminal.side)
        let browser = try Browser()
        let viewer = WebViewer(try browser.page(), of: desktop.size)
        let page = viewer.page
        // The storage as an older page has left it.
        try page.before("localStorage.setItem('heliograph.pairings', '[]')")
        try pair(desktop, terminal, viewer)
        try page.until("document.querySelector('#note-text').textContent.includes('this visit only')")
        #expect(try page.evaluate("'heliograph.pairings' in localStorage", as: Bool.self) == false)
        try viewer.waitForColorChange(on: desktop)

        // Others on the network may have eavesdropped: the next run of the host doesn't know the pairing.
        desktop.killHost()
        try page.until("document.body.dataset.screen !== 'watching'")
        try desktop.startHost()
        try page.until("document.body.innerText.includes('does not know this browser any more')", seconds: 40)
        let kept = try page.evaluate("JSON.stringify({...localStorage})", as: String.self)
        #expect(!kept.contains("secret") && !kept.contains("pairings"), "\(kept)")
    }

    @Test("by HTTPS a pairing is kept: another tab and another start of the host need no code")
    func pairingLasts() throws {
        let terminal = try Terminal()
        let desktop = try WebDesktop(share: ["--name", "tower"], standardInput: terminal.side, usesTLS: true)
        let browser = try Browser()
        let context = UUID().uuidString
        let viewer = WebViewer(try browser.page(context: context), of: desktop.size)
        try pair(desktop, terminal, viewer)
        try viewer.page.until("'heliograph.pairings' in localStorage")
        desktop.killHost()
        try viewer.page.close()
        try desktop.startHost()
        let next = WebViewer(try browser.page(context: context), of: desktop.size)
        try next.page.open(desktop.address)
        try next.waitForPicture(seconds: 40)
        try next.waitForColorChange(on: desktop)
    }

    @Test("where the person at the host says no, nobody is paired")
    func hostSaysNo() throws {
        let terminal = try Terminal()
        let desktop = try WebDesktop(standardInput: terminal.side)
        let browser = try Browser()
        let page = try browser.page()
        try page.open(desktop.address)
        try page.click(on: "#pair-form button")
        try desktop.host.line(with: "[y/w/n]")
        try page.click(on: "#compare-yes")
        try terminal.type("n") { desktop.host.text.contains("is refused") }
        try page.until("document.querySelector('#message').textContent.includes('said no')")
        #expect(!FileManager.default.fileExists(atPath: desktop.folder.path + "/host/devices.json"))
    }
}
