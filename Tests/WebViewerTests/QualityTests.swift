import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// The user chooses which quality of a film to keep when the path can't carry all of it.
@Suite("In a browser: size and quality", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct QualityTests {
    @Test("the choice is what the host codes: smoother is smaller, sharper has the screen's size and few pictures")
    func choices() throws {
        let desktop = try WebDesktop(share: ["--bitrate", "500k", "--sound", "off"])
        let video = try MovingPicture(on: desktop.screen, desktop.size)
        let browser = try Browser()
        let viewer = try desktop.viewer(browser)
        let width = "document.querySelector('#picture').videoWidth"
        try viewer.openPanel("size")
        try viewer.page.click(on: "#quality [value=smoother]")
        try desktop.host.line("a smaller picture") { $0.contains(/Sending [1-7][0-9]+x[0-9]+ at/) }
        try viewer.page.until("\(width) < \(desktop.size.width)")
        // Motion has no such rung by default: without a choice it would not be reached.
        try viewer.page.click(on: "#quality [value=sharper]")
        try desktop.host.line("the screen's size, and few pictures") { $0.contains(/Sending 800x600 at 1[05] frames/) }
        try viewer.page.until("\(width) === \(desktop.size.width)")
        video.stop()
        #expect(try viewer.page.problems() == [])
    }
}
