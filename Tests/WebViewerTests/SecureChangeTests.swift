import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// The page by plain HTTP from another machine, and by HTTPS on the same port.
@Suite("In a browser: from HTTP to HTTPS", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct SecureChangeTests {
    @Test("the change is offered by plain HTTP alone, and who watches goes on without another code")
    func change() throws {
        let host = try NetworkedHost(["10.98.0.1/24"], beside: ["10.98.0.2/24"])
        let link = try host.nextLink()
        let page = try Browser(on: host.viewer).page()

        // Before admission.
        try page.open("http://10.98.0.1:8080/")
        try page.click(on: "#secure-button")
        try page.until("location.href === 'https://10.98.0.1:8080/' && document.body.dataset.screen === 'ask'")
        #expect(try page.evaluate("document.querySelector('#secure-offer').hidden && isSecureContext"))

        // While watching.
        try page.open(link)
        let viewer = WebViewer(page, of: host.size)
        try viewer.waitForPicture()
        // The host's system is known, so the keys have its names.
        #expect(try page.evaluate("document.querySelector('#keys').textContent.includes('Super')"))
        try viewer.openPanel("more")
        try page.click(on: "#more-secure")
        try page.until("isSecureContext && location.protocol === 'https:'")
        try WebViewer(page, of: host.size).waitForPicture()
        #expect(try page.evaluate("location.href", as: String.self) == "https://10.98.0.1:8080/")
        #expect(try page.evaluate("document.querySelector('#more-secure').hidden"))
        #expect(try page.problems() == [])
    }
}
