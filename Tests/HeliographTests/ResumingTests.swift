import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// Network outages between the real programs; the only wait is for the outage itself.
@Suite("Coming back by itself, with the real programs", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct ResumingTests {
    /// Starts a viewer that watches over a network that can fail.
    private func watched() throws -> (SharedDesktop, FailingNetwork, RunningProgram) {
        let desktop = try SharedDesktop(SharingTests.small)
        desktop.source.fill(SharingTests.patchwork(SharingTests.small))
        let link = try desktop.link
        let port = try #require(link.split(separator: "/").dropFirst().first?.split(separator: ":").last)
        let network = try FailingNetwork(toPort: try #require(UInt16(port)))
        try desktop.watch(host: link.replacing("127.0.0.1", with: FailingNetwork.address))
        return (desktop, network, try #require(desktop.view))
    }

    /// The time until the first picture of the next session.
    private func timeToPicture(_ view: RunningProgram) throws -> Duration {
        let start = ContinuousClock.now
        try view.line(with: "The host is back.")
        return start.duration(to: .now)
    }

    @Test(
        "30 s without a network, then 6 s and another address: the picture is back within 1 s, and nobody did anything",
        .tags(.nightly))
    func outage() throws {
        let (desktop, network, view) = try watched()
        defer { network.stop() }
        #expect(network.answers)
        let gone = Date()
        network.cut()
        #expect(!network.answers, "a network that is gone answers nothing")
        try view.line(with: "Connection lost")
        try desktop.share.line(with: "no longer watches")
        // The duration of the outage.
        Thread.sleep(until: gone + 30)
        network.restore()
        let first = try timeToPicture(view)
        #expect(first <= .seconds(1), "back after \(first)")
        desktop.source.fill(SharingTests.patchwork(SharingTests.small, seed: 2, count: 5))
        #expect(try desktop.waitForLikeness(34) >= 34)

        network.cut()
        try view.line(with: "Connection lost")
        try desktop.share.line(with: "no longer watches")
        network.restore(from: "127.0.0.3")
        let second = try timeToPicture(view)
        #expect(second <= .seconds(1), "with another address back after \(second)")
        try desktop.share.line(with: "127.0.0.3")
        print("back after \(first), and with another address after \(second)")
    }

    @Test("another address without an outage: the picture goes on, and so does the session")
    func address() throws {
        let (desktop, network, view) = try watched()
        defer { network.stop() }
        _ = try desktop.waitForLikeness(34)
        network.restore(from: "127.0.0.3")
        desktop.source.fill(SharingTests.patchwork(SharingTests.small, seed: 3, count: 20))
        let start = ContinuousClock.now
        let likeness = try desktop.waitForLikeness(34)
        if likeness < 34 { print(view.text, desktop.share.text) }
        #expect(likeness >= 34)
        #expect(start.duration(to: .now) < .seconds(4))
        #expect(!view.text.contains("Connection lost"))
    }
}
