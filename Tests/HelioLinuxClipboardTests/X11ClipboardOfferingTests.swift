import CXCB
import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

@testable import HelioLinuxClipboard

/// Content offered to the programs of the machine.
@Suite(.tags(.quiet))
struct X11ClipboardOfferingTests {
    private let desktop: Desktop

    init() throws { desktop = try Desktop(PixelSize(width: 320, height: 200)) }

    /// Offers content, and returns once Heliograph owns the selection.
    private func own(_ log: ClipboardLog, _ content: [ClipboardFormat: [UInt8]]) throws -> ClipboardClient {
        let client = try ClipboardClient(desktop.display)
        let before = client.x.owner
        log.offer(content)
        try #require(Patience().wait { client.x.owner != before && client.x.owner != 0 })
        return client
    }

    @Test func textToXclipXselAndGTK() throws {
        let log = try ClipboardLog(desktop.display)
        let text = Array(ClipboardContents.scripts.utf8)
        _ = try own(log, [.text: text, .html: Array("<i>ß</i>".utf8)])
        for target in ["UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "TEXT"] {
            #expect(try ClipboardPrograms.xclipPaste(target, on: desktop) == text, "\(target)")
        }
        #expect(try ClipboardPrograms.xclipPaste("text/html", on: desktop) == Array("<i>ß</i>".utf8))
        let environment = ["DISPLAY": desktop.display]
        #expect(try [UInt8](Tool.run(["xsel", "--clipboard", "--output"], environment: environment)) == text)

        let hex = { (bytes: [UInt8]) in "pasted " + bytes.map { String(format: "%02x", $0) }.joined() }
        let program = try ClipboardPrograms.gtk(ClipboardPrograms.pasteText, on: desktop)
        #expect(try program.line(with: "pasted") == hex(text))
        let html = try ClipboardPrograms.gtk(ClipboardPrograms.pasteHTML, on: desktop)
        #expect(try html.line(with: "pasted") == hex(Array("<i>ß</i>".utf8)))
        #expect(log.clipboard.statistics.pastes >= 8)
        // None of these offers was reported as a program's copy.
        #expect(log.events.allSatisfy { if case .changed = $0 { false } else { true } })
    }

    @Test func latin1ForOldPrograms() throws {
        let log = try ClipboardLog(desktop.display)
        let client = try own(log, [.text: Array("Grüße 👋".utf8)])
        let answer = try #require(try client.paste(client.atoms.latin1))
        #expect(answer.bytes == [0x47, 0x72, 0xFC, 0xDF, 0x65, 0x20, UInt8(ascii: "?")])
        #expect(answer.type == client.atoms.latin1)
    }

    /// Content that needs an incremental (INCR) transfer.
    @Test(arguments: [256 * 1024, 256 * 1024 + 1, 10 << 20])
    func largeContentToXclip(size: Int) throws {
        let log = try ClipboardLog(desktop.display)
        let noise = ClipboardContents.noise(size)
        _ = try own(log, [.png: noise])
        #expect(try ClipboardPrograms.xclipPaste("image/png", on: desktop) == noise)
        // No state of the transfer is left.
        #expect(log.drops("requestor-gone") == 0 && log.drops("requestor-stopped") == 0)
    }

    @Test func severalTakeItAtOnce() throws {
        let log = try ClipboardLog(desktop.display)
        let noise = ClipboardContents.noise(4 << 20)
        _ = try own(log, [.png: noise])
        let programs = try (0..<6).map { _ in
            try desktop.start("sh", ["-c", "xclip -selection clipboard -t image/png -o | sha256sum"])
        }
        let digests = try programs.map { try $0.line() }
        #expect(Set(digests).count == 1)
        #expect(log.clipboard.statistics.bytesPasted == 6 * noise.count)
    }

    @Test func targetsTimestampAndMultiple() throws {
        let log = try ClipboardLog(desktop.display)
        let client = try own(log, [.text: [65], .png: [66]])
        let atoms = client.atoms
        let targets = ClipboardConnection.words(try #require(try client.paste(atoms.targets)).bytes)
        #expect(
            Set(targets) == [
                atoms.targets, atoms.timestamp, atoms.multiple, atoms.utf8String, atoms.utf8Text, atoms.plainText,
                atoms.anyText, atoms.latin1, atoms.png,
            ])
        let time = ClipboardConnection.words(try #require(try client.paste(atoms.timestamp)).bytes)
        #expect(time.count == 1 && time[0] > 0)
        // These targets are refused.
        for name in ["SAVE_TARGETS", "DELETE", "text/html", "image/jpeg"] {
            #expect(try client.paste(client.atom(name)) == nil, "\(name)")
        }

        let (first, second, third) = (client.atom("FIRST"), client.atom("SECOND"), client.atom("THIRD"))
        let pairs = [atoms.utf8String, first, client.atom("image/jpeg"), second, atoms.png, third]
        client.x.put(pairs, atoms.atomPair, to: atoms.transfer, of: client.x.window)
        let answer = try #require(try client.paste(atoms.multiple))
        // A refused target's property is replaced by None.
        #expect(
            ClipboardConnection.words(answer.bytes)
                == [atoms.utf8String, first, client.atom("image/jpeg"), 0, atoms.png, third])
        #expect(client.x.take(first, of: client.x.window, size: 1) == [65])
        #expect(client.x.describe(second, of: client.x.window) == nil)
        #expect(client.x.take(third, of: client.x.window, size: 1) == [66])
    }

    @Test func aRequestFromBeforeTheOfferIsRefused() throws {
        let log = try ClipboardLog(desktop.display)
        let client = try own(log, [.text: [65]])
        let time = ClipboardConnection.words(try #require(try client.paste(client.atoms.timestamp)).bytes)[0]
        client.ask(client.atoms.utf8String, time: time - 1)
        #expect(try client.answer() == nil)
        #expect(log.drops("paste-too-old") == 1)
        client.ask(client.atoms.utf8String, time: time)
        #expect(try client.answer()?.bytes == [65])
    }

    /// The content arrives late; other requests are served meanwhile.
    @Test func contentMayComeLate() throws {
        let log = try ClipboardLog(desktop.display)
        let (first, second) = (try own(log, [.text: [0]]), try ClipboardClient(desktop.display))
        log.waits()
        first.ask(first.atoms.utf8String)
        let waiting = try log.nextPaste()
        second.ask(second.atoms.utf8String)
        let quick = try log.nextPaste()
        #expect(try second.paste(second.atoms.targets) != nil)
        log.clipboard.provide(quick, .success([2]))
        #expect(try second.answer()?.bytes == [2])
        log.clipboard.provide(waiting, .success([1]))
        #expect(try first.answer()?.bytes == [1])
        log.clipboard.provide(waiting, .success([1]))
        #expect(Patience().wait { log.drops("unwanted-content") == 1 })
    }

    @Test func contentThatFailsIsRefused() throws {
        let log = try ClipboardLog(desktop.display)
        let client = try own(log, [.text: [0]])
        log.waits()
        client.ask(client.atoms.utf8String)
        log.clipboard.provide(try log.nextPaste(), .failure(.timedOut))
        #expect(try client.answer() == nil)
        #expect(log.drops("paste-failed") == 1)
    }

    @Test func contentThatNeverComesIsRefusedInTime() throws {
        var options = X11ClipboardOptions()
        options.contentPatience = .milliseconds(200)
        let log = try ClipboardLog(desktop.display, options: options)
        let client = try own(log, [.text: [0]])
        log.waits()
        client.ask(client.atoms.utf8String)
        let paste = try log.nextPaste()
        #expect(try client.answer() == nil)
        try log.nextUnwanted(paste)
        #expect(log.drops("paste-timed-out") == 1)
    }

    @Test func sixteenAreServedAtOnce() throws {
        let log = try ClipboardLog(desktop.display)
        let client = try own(log, [.text: [0]])
        log.waits()
        for _ in 0..<17 { client.ask(client.atoms.utf8String) }
        // The request beyond the limit is answered first, with a refusal.
        #expect(try client.answer() == nil)
        #expect(log.drops("paste-busy") == 1)
        for number in 0..<16 as Range<UInt8> {
            log.clipboard.provide(try log.nextPaste(), .success([number]))
            #expect(try client.answer()?.bytes == [number])
        }
        #expect(log.clipboard.statistics.pastes == 16)
    }

    // MARK: Programs that exit

    @Test func aProgramThatVanishesWhileItWaits() throws {
        let log = try ClipboardLog(desktop.display)
        log.waits()
        let paste = try {
            let client = try own(log, [.text: [0]])
            log.waits()
            client.ask(client.atoms.utf8String)
            return try log.nextPaste()
        }()
        try log.nextUnwanted(paste)
        log.clipboard.provide(paste, .success([1]))
        #expect(log.drops("requestor-gone") == 1)
        log.offer([.text: [2]])
        #expect(try ClipboardPrograms.xclipPaste("UTF8_STRING", on: desktop) == [2])
    }

    @Test func aProgramThatVanishesInTheMiddle() throws {
        let log = try ClipboardLog(desktop.display)
        let noise = ClipboardContents.noise(2 << 20)
        try {
            let client = try own(log, [.png: noise])
            let answer = try #require(try client.paste(client.atoms.png))
            #expect(answer.type == client.atoms.incr)
            #expect(ClipboardConnection.words(answer.bytes) == [2 << 20])
            #expect(try client.piece() == Array(noise.prefix(256 * 1024)))
        }()
        #expect(Patience().wait { log.drops("requestor-gone") == 1 })
        #expect(try ClipboardPrograms.xclipPaste("image/png", on: desktop) == noise)
    }

    @Test func aProgramThatTakesNoMore() throws {
        var options = X11ClipboardOptions()
        options.requestorPatience = .milliseconds(200)
        let log = try ClipboardLog(desktop.display, options: options)
        let client = try own(log, [.png: ClipboardContents.noise(2 << 20)])
        _ = try client.paste(client.atoms.png)
        _ = try client.piece()
        #expect(Patience().wait { log.drops("requestor-stopped") == 1 })
    }

    // MARK: Ownership of the selection

    @Test func aCopyOfAProgramEndsTheOffer() throws {
        let log = try ClipboardLog(desktop.display)
        _ = try own(log, [.text: [65]])
        let program = try ClipboardPrograms.xclip([66], "UTF8_STRING", on: desktop)
        let change = try log.nextChange()
        #expect(change.formats == [.text])
        #expect(try log.read(.text, of: change.serial) == .success([66]))
        // Withdrawing an offer that was already replaced has no effect; the program's copy stays.
        log.clipboard.withdraw()
        #expect(try ClipboardPrograms.xclipPaste("UTF8_STRING", on: desktop) == [66])
        withExtendedLifetime(program) {}
    }

    @Test func anOfferTakesThePlaceOfACopy() throws {
        let log = try ClipboardLog(desktop.display)
        let program = try ClipboardPrograms.xclip([66], "UTF8_STRING", on: desktop)
        let change = try log.nextChange()
        _ = try own(log, [.text: [65]])
        #expect(try ClipboardPrograms.xclipPaste("UTF8_STRING", on: desktop) == [65])
        #expect(try log.read(.text, of: change.serial) == .failure(.gone))
        withExtendedLifetime(program) {}
    }

    @Test func whatIsTakenBackIsGone() throws {
        let log = try ClipboardLog(desktop.display)
        let client = try own(log, [.text: [65]])
        log.clipboard.withdraw()
        #expect(Patience().wait { client.x.owner == 0 })
        #expect(throws: Tool.Failure.self) { try ClipboardPrograms.xclipPaste("UTF8_STRING", on: desktop) }
        // The lost selection was Heliograph's own, which is not reported; the next copy is.
        let program = try ClipboardPrograms.xclip([66], "UTF8_STRING", on: desktop)
        #expect(try log.nextChange().formats == [.text])
        program.kill()
        #expect(try log.nextChange().formats.isEmpty)
    }

    @Test func ofAThousandOffersTheNewestIsThere() throws {
        let log = try ClipboardLog(desktop.display)
        let other = try ClipboardLog(desktop.display)
        for number in 1...1000 { log.offer([.text: Array("offer \(number)".utf8)]) }
        #expect(
            Patience().wait {
                (try? ClipboardPrograms.xclipPaste("UTF8_STRING", on: desktop)) == Array("offer 1000".utf8)
            })
        #expect(try other.nextChange().formats == [.text])
        #expect(log.events.allSatisfy { if case .changed = $0 { false } else { true } })
    }

    // MARK: The end

    @Test func stoppedItLetsGo() throws {
        let log = try ClipboardLog(desktop.display)
        let client = try own(log, [.text: [65]])
        log.clipboard.stop()
        // The server notices the end of a connection only after a while.
        #expect(Patience().wait { client.x.owner == 0 })
        log.clipboard.stop()
        log.clipboard.offer([ClipboardEntry(.text)])
        log.clipboard.provide(PasteID(1), .success([]))
    }

    @Test func aServerThatIsGoneIsReported() throws {
        let log = try ClipboardLog(desktop.display)
        _ = try own(log, [.text: [65]])
        desktop.kill()
        let error = try log.next("the end") { if case .lost(let error) = $0 { error } else { nil } }
        #expect(error.code == .systemFailed)
        log.clipboard.offer([ClipboardEntry(.text)])
        log.clipboard.stop()
    }

    @Test func aServerThatAnswersNothingDoesNotHoldUpTheEnd() throws {
        let log = try ClipboardLog(desktop.display)
        _ = try own(log, [.text: [65]])
        desktop.send(SIGSTOP)
        // The thread waits for the server's response to this.
        log.clipboard.offer([ClipboardEntry(.text)])
        let began = ContinuousClock.now
        log.clipboard.stop()
        #expect(ContinuousClock.now - began < .seconds(3))
    }

    @Test func aDisplayWithoutXFIXESIsRefused() throws {
        let plain = try Desktop(PixelSize(width: 320, height: 200), options: ["-extension", "XFIXES"])
        let error = #expect(throws: HelioError.self) { try X11Clipboard(display: plain.display) { _ in } }
        #expect(error?.code == .unsupported && error?.message.contains("XFIXES") == true)
    }

    @Test func noDisplayIsRefused() {
        let error = #expect(throws: HelioError.self) { try X11Clipboard(display: ":4095") { _ in } }
        #expect(error?.code == .unsupported)
    }
}
