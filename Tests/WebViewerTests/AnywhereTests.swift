import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// A page that comes from `heliograph rendezvous`, and a host that it reaches by calls through that alone.
@Suite("In a browser: by a rendezvous server", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct AnywhereTests {
    private static let isAsked = "document.body.dataset.screen === 'ask'"
    /// True once a host is registered at the server again.
    private static let isOnline = """
        fetch('/metrics').then((answer) => answer.text())
            .then((text) => text.includes('heliograph_rendezvous_devices 1'), () => false)
        """

    private func share(
        by server: RendezvousServer, standardInput: FileHandle = .nullDevice
    ) throws -> WebDesktop {
        let desktop = try WebDesktop(
            share: ["--name", "tower", "--rendezvous", server.hostURL], standardInput: standardInput)
        try server.waitUntilReached(desktop)
        return desktop
    }

    private func viewer(_ link: String, _ desktop: WebDesktop, _ browser: Browser) throws -> WebViewer {
        let viewer = WebViewer(try browser.page(context: UUID().uuidString), of: desktop.size)
        try viewer.page.open(link)
        try viewer.waitForPicture()
        try viewer.waitForControl()
        return viewer
    }

    @Test("a link opens the page there, which watches and drives, also when the server has gone")
    func link() throws {
        let server = try RendezvousServer()
        let desktop = try share(by: server)
        let client = try XClient(desktop.screen, desktop.size)
        let browser = try Browser()
        let link = try server.newLink(to: desktop)
        #expect(Patience().wait { desktop.host.text.contains(link) }, "the host shows the same link")
        let viewer = try viewer(link, desktop, browser)
        try viewer.waitForColorChange(on: desktop)
        try viewer.click(x: 400, y: 300)
        try client.expect([true, false].map { .button(1, isDown: $0, x: 400, y: 300) }, passingOverKeys: true)
        try viewer.page.strike(.letter("a"))
        try client.expect([true, false].map { .key(keysym: 0x61, isDown: $0, modifiers: 0) })
        // The address bar keeps the host's name, for a reload or a bookmark, and no secret.
        let name = try server.name(of: desktop)
        let address = try viewer.page.evaluate("location.href", as: String.self)
        #expect(address == "\(server.url)/#\(name)")
        #expect(try viewer.page.problems() == [])

        server.kill()
        try viewer.waitForColorChange(on: desktop)
        try viewer.page.strike(.letter("b"))
        try client.expect([true, false].map { .key(keysym: 0x62, isDown: $0, modifiers: 0) })
    }

    @Test("a reload comes back without a link, by the host's name in the address, also to a new run of the server")
    func reload() throws {
        let server = try RendezvousServer()
        let desktop = try share(by: server)
        let browser = try Browser()
        let viewer = try viewer(try server.newLink(to: desktop), desktop, browser)
        try viewer.page.until("sessionStorage.length > 1")
        try viewer.page.reload()
        try viewer.waitForPicture()
        try viewer.waitForColorChange(on: desktop)
        #expect(try viewer.page.problems() == [])

        server.kill()
        let isTold = Patience().wait { desktop.host.text.contains("Sharing goes on without it") }
        #expect(isTold)
        try server.startAgain()
        // The host is back after a short wait of its own, of which it tells nobody.
        try viewer.page.until(Self.isOnline)
        try viewer.page.until("sessionStorage.length > 1")
        try viewer.page.reload()
        try viewer.waitForPicture()
        try viewer.waitForColorChange(on: desktop)
    }

    @Test("a host that was started again is found again, and the page asks for its new code")
    func restart() throws {
        let server = try RendezvousServer()
        let desktop = try share(by: server)
        let browser = try Browser()
        let viewer = try viewer(try server.newLink(to: desktop), desktop, browser)
        desktop.killHost()
        try viewer.page.until("document.querySelector('#title').textContent === 'Connection lost'")
        try desktop.startHost()
        try viewer.page.until(Self.isAsked)
        #expect(try viewer.page.text(of: "#title") == "Sharing began anew")
        try server.waitUntilReached(desktop)
        try viewer.page.click(on: "#code")
        try viewer.page.insert(try desktop.newCode())
        try viewer.page.strike(.enter)
        try viewer.waitForPicture()
        try viewer.waitForColorChange(on: desktop)
    }

    @Test("by HTTPS, who comes by a used link may ask to pair, and then comes back to every run of the host")
    func pairing() throws {
        let terminal = try Terminal()
        let server = try RendezvousServer(usesTLS: true)
        let desktop = try share(by: server, standardInput: terminal.side)
        let browser = try Browser()
        let link = try server.newLink(to: desktop)
        _ = try viewer(link, desktop, browser)
        let context = UUID().uuidString
        let second = WebViewer(try browser.page(context: context), of: desktop.size)
        try second.page.open(link)
        try second.page.until("document.querySelector('#message').textContent.includes('link has been used')")
        try second.page.click(on: "#pair-form button")
        try second.page.until("/^[0-9]{3} [0-9]{3}$/.test(document.querySelector('#digits').textContent)")
        let seen = try second.page.text(of: "#digits")
        #expect(try desktop.host.line(with: "It must show this code").contains(seen))
        try desktop.host.line(with: "[y/w/n]")
        try terminal.type("y") { desktop.host.text.contains("may watch and control, once") }
        try second.page.click(on: "#compare-yes")
        try second.waitForPicture()
        let name = try server.name(of: desktop)
        try second.page.until("'heliograph.pairings.\(name)' in localStorage")
        desktop.killHost()
        try second.page.close()

        try desktop.startHost()
        try server.waitUntilReached(desktop)
        let next = WebViewer(try browser.page(context: context), of: desktop.size)
        // The host of the last time, as the installed page finds it.
        try next.page.open(server.url + "/")
        try next.waitForPicture()
        try next.waitForColorChange(on: desktop)
        #expect(try next.page.problems() == [])
    }

    @Test("a link of nobody, a host that is off, and a page without a link are said plainly")
    func mistakes() throws {
        let server = try RendezvousServer()
        let desktop = try share(by: server)
        let browser = try Browser()
        let name = try server.name(of: desktop)
        func title(of address: String, until shown: String) throws {
            let page = try browser.page(context: UUID().uuidString)
            try page.open(address)
            try page.until("document.querySelector('#title').textContent === '\(shown)'")
            try page.close()
        }
        try title(of: "\(server.url)/#\(name).0000-0000-0000-0000", until: "Not let in")
        try title(of: "\(server.url)/", until: "Which host?")
        try title(of: "\(server.url)/office#\(name).0000-0000", until: "Not let in")
        let link = try server.newLink(to: desktop)
        desktop.killHost()
        // The server may still have to notice that the host's connection has ended.
        try title(of: link, until: "Host offline")
    }
}
