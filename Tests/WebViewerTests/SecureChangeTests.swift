import Foundation
import HelioCore
import HelioTestPrograms
import Testing

/// The page by plain HTTP from another machine, and by HTTPS at the same port.
@Suite("In a browser: from HTTP to HTTPS", .serialized, .timeLimit(.minutes(3)))
struct SecureChangeTests {
    @Test("the change is offered by plain HTTP alone, and who watches goes on without another code")
    func change() throws {
        let host = try NetworkMachine()
        let viewer = try NetworkMachine(beside: host)
        try NetworkMachine.connect(.init(host, "left", ["10.98.0.1/24"]), .init(viewer, "right", ["10.98.0.2/24"]))
        let size = PixelSize(width: 640, height: 480)
        let screen = try Desktop(size)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let share = try host.start(
            RunningProgram.built("heliograph"), ["share", "--web", "8080", "--no-discovery"],
            environment: ["DISPLAY": screen.display, "HELIOGRAPH_HOME": folder.path])
        defer { share.kill() }
        let line = try share.line(with: "To watch in a browser:")
        let link = line.split(separator: " ").last.map { String($0) } ?? ""
        let page = try Browser(on: viewer).page()

        // Before one is let in.
        try page.open("http://10.98.0.1:8080/")
        try page.click(on: "#secure-button")
        try page.until("location.href === 'https://10.98.0.1:8080/' && document.body.dataset.screen === 'ask'")
        #expect(try page.evaluate("document.querySelector('#secure-offer').hidden && isSecureContext"))

        // While one watches.
        try page.open(link)
        try WebViewer(page, of: size).waitForPicture()
        // It says what it is, so its keys have its own names.
        #expect(try page.evaluate("document.querySelector('#keys').textContent.includes('Super')"))
        try page.strike(.control, .alt, .shift, .letter("h"))
        try page.click(on: "#more-button")
        try page.click(on: "#more-secure")
        try page.until("isSecureContext && location.protocol === 'https:'")
        try WebViewer(page, of: size).waitForPicture()
        #expect(try page.evaluate("location.href", as: String.self) == "https://10.98.0.1:8080/")
        #expect(try page.evaluate("document.querySelector('#more-secure').hidden"))
        #expect(try page.problems() == [])
    }
}
