import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import HelioTransfer
import Testing

@testable import HelioLinuxClipboard

/// Two displays with connected clipboards, and third-party programs on both.
@Suite(.tags(.quiet))
struct JoinedClipboardsTests {
    private let here: Desktop
    private let there: Desktop
    private let links: (here: ClipboardLink, there: ClipboardLink)

    init() throws {
        here = try Desktop(PixelSize(width: 320, height: 200))
        there = try Desktop(PixelSize(width: 320, height: 200))
        links = (try ClipboardLink(here.display), try ClipboardLink(there.display))
        ClipboardLink.join(links.here, links.there)
    }

    private func pastes(_ target: String, _ content: [UInt8], on desktop: Desktop) -> Bool {
        Patience().wait { (try? ClipboardPrograms.xclipPaste(target, on: desktop)) == content }
    }

    @Test func textGoesBothWays() throws {
        let text = Array(ClipboardContents.scripts.utf8)
        let first = try ClipboardPrograms.xclip(text, "UTF8_STRING", on: here)
        #expect(pastes("UTF8_STRING", text, on: there))
        let second = try ClipboardPrograms.xclip(Array("zurück".utf8), "UTF8_STRING", on: there)
        #expect(pastes("UTF8_STRING", Array("zurück".utf8), on: here))
        let html = try ClipboardPrograms.xclip(Array("<b>ß</b>".utf8), "text/html", on: here)
        #expect(pastes("text/html", Array("<b>ß</b>".utf8), on: there))
        // Each copy caused one offer, and none was sent back.
        #expect(links.here.statistics.offersSent == 2 && links.there.statistics.offersSent == 1)
        withExtendedLifetime((first, second, html)) {}
    }

    @Test func aPictureOfGTKGoesOver() throws {
        let copy = try ClipboardPrograms.gtk(ClipboardPrograms.copyPicture, on: here, "1900")
        let digest = try #require(try copy.line(with: "copied").split(separator: " ").last)
        let client = try ClipboardClient(there.display)
        try #require(Patience().wait { client.x.owner != 0 })
        #expect(links.here.statistics.bytesSent == 0)
        let paste = try ClipboardPrograms.gtk(ClipboardPrograms.pastePicture, on: there)
        #expect(try paste.line(with: "pasted") == "pasted \(digest)")
        #expect(links.here.statistics.bytesSent > 10_000_000)
    }

    @Test func ofManyCopiesOnlyTheNewestCrosses() throws {
        // Each xsel process stays in the background until the next copy.
        let script =
            "for i in $(seq 200); do printf 'copy %s' $i | xsel --clipboard --input >/dev/null 2>&1; done; echo done"
        let programs = try here.start("sh", ["-c", script])
        try programs.line(with: "done")
        #expect(pastes("UTF8_STRING", Array("copy 200".utf8), on: there))
        #expect(links.here.statistics.bytesSent <= 2 * "copy 200".utf8.count)
    }

    @Test func aProgramThatStopsEndsThePaste() throws {
        let program = try ClipboardPrograms.xclip(Array("stopped".utf8), "UTF8_STRING", on: here)
        let client = try ClipboardClient(there.display)
        try #require(Patience().wait { client.x.owner != 0 })
        program.kill(SIGSTOP)
        #expect(try client.paste(client.atoms.utf8String) == nil)
        program.kill(SIGCONT)
        #expect(try client.paste(client.atoms.utf8String)?.bytes == Array("stopped".utf8))
    }
}
