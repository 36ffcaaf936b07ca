import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// A browser in one home and a host in another, who have nothing in common but a rendezvous: by which way the pictures
/// come, behind routers of each kind. `FarFigures` measures the times.
@Suite("In a browser: from home to home", .serialized, .timeLimit(.minutes(4)), .tags(.quiet))
struct FarTests {
    private static let colors: [UInt32] = [0xC03030, 0x3030C0]

    @Test("behind routers of each kind pictures come by the best way, as it changes; without one, the page says so")
    func ways() throws {
        let host = try FarHost(hasTURNAtWebPort: true)
        let browser = try Browser(on: host.world.machine(.viewer))
        try host.waitUntilReached()
        for (number, homes) in FarHomes.all.enumerated() {
            try host.world.setRouter(homes.host, of: .host)
            try host.world.setRouter(homes.viewer, of: .viewer)
            let color = Self.colors[number % Self.colors.count]
            host.paint(color)
            let page = try FarPage(browser, to: host)
            _ = try page.timeToPicture(color)
            #expect(try page.way(homes.browserWay) == homes.browserWay, "\(homes)")
            #expect(try page.viewer.page.problems() == [], "\(homes)")
            try page.close()
        }

        try comeBack(browser, host)
        try watchByProxy(host)
        try seeNoWay(browser, host)
    }

    /// Watches while the direct way is blocked, and once it is there again.
    private func comeBack(_ browser: Browser, _ host: FarHost) throws {
        for home in TwoHomes.Home.allCases { try host.world.setRouter(.portRestricted, of: home) }
        let page = try FarPage(browser, to: host)
        try page.viewer.waitForPicture()
        _ = try page.way(.direct)
        for kind in [RouterKind.noUDP, .only443] { _ = try page.timeOfReturn(after: kind) }
        try page.close()
    }

    /// Watches in a network that has nothing but an HTTP proxy, by which the browser reaches TURN too.
    private func watchByProxy(_ host: FarHost) throws {
        let proxy = try RouterProgram.proxy(of: .viewer, in: host.world)
        try host.world.setRouter(.proxy, of: .viewer)
        let address = "http://192.168.1.1:\(RouterKind.proxyPort)"
        let browser = try Browser(on: host.world.machine(.viewer), proxy: address)
        host.paint(Self.colors[0])
        _ = try FarPage(browser, to: host).timeToPicture(Self.colors[0])
        withExtendedLifetime(proxy) {}
    }

    /// Calls the host where neither UDP nor a TURN server is reached: the rendezvous passes on no pictures to browsers.
    private func seeNoWay(_ browser: Browser, _ host: FarHost) throws {
        host.stopTURN()
        try host.world.setRouter(.only443, of: .viewer)
        let page = try FarPage(browser, to: host).viewer.page
        try page.until("document.querySelector('#title').textContent === 'No way through'", seconds: 40)
        #expect(try page.text(of: "#message").contains("no picture can reach it"))
        // Somebody who then goes to another network may try again.
        #expect(try page.evaluate("document.querySelector('#again-button').checkVisibility()"))
    }
}
