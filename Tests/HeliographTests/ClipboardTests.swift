import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// Content copied on one of the two screens is pasted on the other, by third-party programs.
@Suite("The clipboard of host and viewer", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct ClipboardTests {
    private static let size = PixelSize(width: 640, height: 480)
    private static let text = Array("Zwölf Boxkämpfer, 十二, اثنا عشر, 🥊\n".utf8)

    /// Starts a viewer that watches, and has not taken control yet.
    private func start(share: [String] = [], view: [String] = []) throws -> SharedDesktop {
        let desktop = try SharedDesktop(Self.size, share: share)
        try desktop.watch(view)
        return desktop
    }

    private func drive(_ desktop: SharedDesktop) throws {
        let client = try desktop.source.startClient(Self.size, events: ["mouse"])
        for place in ["200", "300"] { try desktop.destination.run("xdotool", "mousemove", place, place) }
        try client.line(with: "MotionNotify")
        client.kill()
    }

    /// Pastes on a desktop; returns `nil` if there is nothing.
    private func paste(
        on desktop: Desktop, _ target: String = "UTF8_STRING", selection: String = "clipboard"
    ) -> [UInt8]? {
        try? ClipboardPrograms.xclipPaste(target, on: desktop, selection: selection)
    }

    private func waitFor(
        _ content: [UInt8]?, on desktop: Desktop, _ target: String = "UTF8_STRING", selection: String = "clipboard"
    ) -> Bool {
        Patience().wait { paste(on: desktop, target, selection: selection) == content }
    }

    @Test("text and HTML go both ways, to who drives and to nobody else")
    func both() throws {
        let desktop = try start()
        let first = try ClipboardPrograms.xclip(Self.text, "UTF8_STRING", on: desktop.source)
        // The viewer only watches for a second.
        try #require(desktop.view).goOn(for: .seconds(1))
        #expect(paste(on: desktop.destination) == nil)
        try drive(desktop)
        #expect(waitFor(Self.text, on: desktop.destination))
        let second = try ClipboardPrograms.xclip(Array("back".utf8), "UTF8_STRING", on: desktop.destination)
        #expect(waitFor(Array("back".utf8), on: desktop.source))
        let html = Array("<p>grün</p>".utf8)
        let third = try ClipboardPrograms.xclip(html, "text/html", on: desktop.source)
        #expect(waitFor(html, on: desktop.destination, "text/html"))
        // Transfers are counted, and no content appears in any output.
        let line = try #require(desktop.view).line("counts of the clipboard") {
            $0.contains("\"received\":2,\"sent\":1}")
        }
        #expect(!line.contains("grün"))

        // The viewer's copy stays at the host, even if the viewer is killed.
        let fourth = try ClipboardPrograms.xclip(Array("last".utf8), "UTF8_STRING", on: desktop.destination)
        #expect(waitFor(Array("last".utf8), on: desktop.source))
        desktop.view?.kill(SIGKILL)
        try desktop.share.line(with: "no longer watches")
        #expect(paste(on: desktop.source) == Array("last".utf8))
        withExtendedLifetime((first, second, third, fourth)) {}
    }

    @Test("a picture of 10 MiB goes over, over TCP alone as well", arguments: ["auto", "tcp"])
    func picture(_ transport: String) throws {
        let desktop = try start(view: ["--transport", transport])
        try drive(desktop)
        let copy = try ClipboardPrograms.gtk(ClipboardPrograms.copyPicture, on: desktop.source, "1900")
        let digest = try #require(try copy.line(with: "copied").split(separator: " ").last)
        let isPasted = Patience().wait {
            let paste = try? ClipboardPrograms.gtk(ClipboardPrograms.pastePicture, on: desktop.destination)
            return (try? paste?.line(with: "pasted")) == "pasted \(digest)"
        }
        #expect(isPasted)
    }

    @Test("of a thousand quick copies the newest arrives")
    func many() throws {
        let desktop = try start()
        try drive(desktop)
        let script =
            "for i in $(seq 1000); do printf 'copy %s' $i | xsel --clipboard --input >/dev/null 2>&1; done; echo done"
        let programs = try desktop.source.start("sh", ["-c", script])
        try programs.line(with: "done")
        #expect(waitFor(Array("copy 1000".utf8), on: desktop.destination))
    }

    @Test("an end that does not share it has none", arguments: [true, false])
    func off(atHost: Bool) throws {
        let no = ["--no-clipboard"]
        let desktop = try start(share: atHost ? no : [], view: atHost ? [] : no)
        try drive(desktop)
        let copy = try ClipboardPrograms.xclip(Self.text, "UTF8_STRING", on: desktop.source)
        try #require(desktop.view).goOn(for: .seconds(1))
        #expect(paste(on: desktop.destination) == nil)
        withExtendedLifetime(copy) {}
    }

    @Test("what is only marked goes over where that is wanted")
    func marked() throws {
        let wish = ["--clipboard-marked"]
        let desktop = try start(share: wish, view: wish)
        try drive(desktop)
        let first = try ClipboardPrograms.xclip(Self.text, "UTF8_STRING", on: desktop.source, selection: "primary")
        #expect(waitFor(Self.text, on: desktop.destination, selection: "primary"))
        #expect(waitFor(Self.text, on: desktop.destination))
        let second = try ClipboardPrograms.xclip(
            Array("marked".utf8), "UTF8_STRING", on: desktop.destination, selection: "primary")
        #expect(waitFor(Array("marked".utf8), on: desktop.source))
        #expect(waitFor(Array("marked".utf8), on: desktop.source, selection: "primary"))
        withExtendedLifetime((first, second)) {}
    }

    @Test("a viewer on the shared screen leaves its clipboard as it is")
    func sameScreen() throws {
        let desktop = try SharedDesktop(Self.size)
        let viewer = try desktop.source.start(
            SharedDesktop.heliograph,
            ["view"] + SharedDesktop.statistics + ["--link-file", desktop.folder.path + "/link"],
            environment: SharedDesktop.noSound.merging(["HELIOGRAPH_HOME": desktop.folder.path + "/viewer"]) { $1 })
        try viewer.line(with: "Watching")
        try desktop.source.run("xdotool", "mousemove", "200", "200")
        try desktop.source.run("xdotool", "mousemove", "210", "210")
        let copy = try ClipboardPrograms.xclip(Self.text, "UTF8_STRING", on: desktop.source)
        try viewer.goOn(for: .seconds(2))
        #expect(paste(on: desktop.source) == Self.text)
        withExtendedLifetime(copy) {}
    }

    @Test("content above the limit is not offered")
    func limit() throws {
        let desktop = try start(view: ["--clipboard-limit", "1"])
        try drive(desktop)
        let large = Array(repeating: UInt8(ascii: "x"), count: 1 << 20 + 1)
        let copy = try ClipboardPrograms.xclip(large, "UTF8_STRING", on: desktop.source)
        // Programs that own a selection don't announce its size: the transfer is refused while it is in progress.
        try #require(desktop.view).goOn(for: .seconds(1))
        #expect(paste(on: desktop.destination) == nil)
        let small = try ClipboardPrograms.xclip(Array(large.dropLast()), "UTF8_STRING", on: desktop.source)
        #expect(waitFor(Array(large.dropLast()), on: desktop.destination))
        withExtendedLifetime((copy, small)) {}
    }
}
