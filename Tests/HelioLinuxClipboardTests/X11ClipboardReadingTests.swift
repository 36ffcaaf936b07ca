import CXCB
import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

@testable import HelioLinuxClipboard

/// Content copied by the programs of the machine.
@Suite(.tags(.quiet))
struct X11ClipboardReadingTests {
    private let desktop: Desktop

    init() throws { desktop = try Desktop(PixelSize(width: 320, height: 200)) }

    @Test func textOfXclip() throws {
        let log = try ClipboardLog(desktop.display)
        let text = Array(ClipboardContents.scripts.utf8)
        let program = try ClipboardPrograms.xclip(text, "UTF8_STRING", on: desktop)
        let change = try log.nextChange()
        #expect(change.formats == [.text])
        #expect(try log.read(.text, of: change.serial) == .success(text))
        #expect(try log.read(.png, of: change.serial) == .failure(.gone))
        #expect(log.clipboard.statistics.reads == 1 && log.clipboard.statistics.bytesRead == text.count)
        withExtendedLifetime(program) {}
    }

    @Test func textOfXsel() throws {
        let log = try ClipboardLog(desktop.display)
        let text = ClipboardContents.scripts
        let file = FileManager.default.temporaryDirectory.appending(path: "clip-\(UUID().uuidString)")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let program = try desktop.start("sh", ["-c", "xsel --clipboard --input --nodetach < '\(file.path)'"])
        let change = try log.nextChange()
        #expect(change.formats.contains(.text))
        #expect(try log.read(.text, of: change.serial) == .success(Array(text.utf8)))
        withExtendedLifetime(program) {}
    }

    @Test func textOfGTK() throws {
        let log = try ClipboardLog(desktop.display)
        let text = ClipboardContents.scripts
        let program = try ClipboardPrograms.gtk(ClipboardPrograms.copyText, on: desktop, text)
        try program.line(with: "copied")
        let change = try log.nextChange()
        #expect(change.formats == [.text])
        #expect(try log.read(.text, of: change.serial) == .success(Array(text.utf8)))
    }

    @Test func html() throws {
        let log = try ClipboardLog(desktop.display)
        let html = Array("<p>Grüße <b>👋</b></p>".utf8)
        let program = try ClipboardPrograms.xclip(html, "text/html", on: desktop)
        let change = try log.nextChange()
        #expect(change.formats == [.html])
        #expect(try log.read(.html, of: change.serial) == .success(html))
        withExtendedLifetime(program) {}
    }

    /// An incremental (INCR) transfer, since the content exceeds the size of one request.
    @Test func tenMebibytesOfXclip() throws {
        let log = try ClipboardLog(desktop.display)
        let noise = ClipboardContents.noise(10 << 20)
        let program = try ClipboardPrograms.xclip(noise, "image/png", on: desktop)
        let change = try log.nextChange()
        #expect(change.formats == [.png])
        #expect(try log.read(.png, of: change.serial) == .success(noise))
        // Several reads at once.
        let ids = (1...4).map { ClipboardReadID($0) }
        for id in ids { log.clipboard.read(.png, of: change.serial, limit: 16 << 20, as: id) }
        for _ in ids {
            let content = try log.next("content") { if case .content(_, let content) = $0 { content } else { nil } }
            #expect(content == .success(noise))
        }
        withExtendedLifetime(program) {}
    }

    @Test func aPictureOfGTK() throws {
        let log = try ClipboardLog(desktop.display)
        let program = try ClipboardPrograms.gtk(ClipboardPrograms.copyPicture, on: desktop, "1900")
        let digest = try #require(try program.line(with: "copied").split(separator: " ").last)
        let change = try log.nextChange()
        #expect(change.formats == [.png])
        let picture = try log.read(.png, of: change.serial).get()
        #expect(picture.count > 10_000_000)
        // Pasting it in a program decodes it again, to the same pixels.
        log.offer([.png: picture])
        let paste = try ClipboardPrograms.gtk(ClipboardPrograms.pastePicture, on: desktop)
        #expect(try paste.line(with: "pasted") == "pasted \(digest)")
    }

    @Test(arguments: [1_000_000, 100])
    func moreThanTheLimitIsNotRead(size: Int) throws {
        let log = try ClipboardLog(desktop.display)
        let program = try ClipboardPrograms.xclip(ClipboardContents.noise(size), "image/png", on: desktop)
        let change = try log.nextChange()
        #expect(try log.read(.png, of: change.serial, limit: size - 1) == .failure(.tooLarge))
        // The copying program is not affected.
        #expect(try log.read(.png, of: change.serial, limit: size).get().count == size)
        #expect(log.drops("read-too-large") == 1)
        withExtendedLifetime(program) {}
    }

    @Test func latin1IsMadeUTF8() throws {
        let log = try ClipboardLog(desktop.display)
        let client = try ClipboardClient(desktop.display)
        client.copy()
        var change: (serial: ClipboardSerial, formats: [ClipboardFormat])?
        try client.serve([client.atoms.latin1: [0x47, 0x72, 0xFC, 0xDF, 0x65]]) { log.events.count == 1 }
        change = try log.nextChange()
        #expect(change?.formats == [.text])
        let id = ClipboardReadID(1)
        log.clipboard.read(.text, of: change!.serial, limit: 100, as: id)
        try client.serve([client.atoms.latin1: [0x47, 0x72, 0xFC, 0xDF, 0x65]]) { log.events.count == 2 }
        let content = try log.next("content") { if case .content(id, let content) = $0 { content } else { nil } }
        #expect(content == .success(Array("Grüße".utf8)))
    }

    @Test func aSecretIsNotReported() throws {
        let log = try ClipboardLog(desktop.display)
        let client = try ClipboardClient(desktop.display)
        let secret: [xcb_atom_t: [UInt8]] = [
            client.atoms.utf8String: Array("hunter2".utf8), client.atoms.passwordHint: Array("secret".utf8),
        ]
        client.copy()
        try client.serve(secret) { !log.events.isEmpty }
        let change = try log.nextChange()
        #expect(change.formats.isEmpty)
        #expect(log.drops("secret") == 1)
        #expect(try log.read(.text, of: change.serial) == .failure(.gone))
        #expect(client.asked[client.atoms.utf8String] == nil)

        // The same program copies without a password hint.
        client.copy()
        try client.serve([
            client.atoms.utf8String: Array("public".utf8), client.atoms.passwordHint: Array("public".utf8),
        ]) { log.events.count >= 3 }
        #expect(try log.nextChange().formats == [.text])
    }

    /// A program that has a password hint among its targets, but doesn't convert it.
    @Test func whatMayBeASecretIsTakenForOne() throws {
        let log = try ClipboardLog(desktop.display)
        let client = try ClipboardClient(desktop.display)
        client.copy()
        // The program lists the hint among its targets, and refuses to convert it.
        let hint = client.atoms.passwordHint
        try client.serve([client.atoms.utf8String: [65], hint: []]) { client.asked[hint] == 1 }
        try client.serve([:]) { !log.events.isEmpty }
        // An empty hint means no secret; a refused hint means a secret.
        #expect(try log.nextChange().formats == [.text])
        client.copy()
        try client.serve([client.atoms.utf8String: [65], hint: []]) { client.asked[client.atoms.targets] == 2 }
        try client.serve([:]) { log.events.count == 2 }
        #expect(try log.nextChange().formats.isEmpty)
        #expect(log.drops("secret") == 1)
    }

    @Test func ofAThousandQuickCopiesTheNewestIsRead() throws {
        let log = try ClipboardLog(desktop.display)
        let client = try ClipboardClient(desktop.display)
        for _ in 1...1000 { client.copy() }
        client.sync()
        let content = [client.atoms.utf8String: Array("copy 1000".utf8)]
        var serial: ClipboardSerial?
        try client.serve(content) {
            if serial == nil, case .changed(let last, _)? = log.events.last, last.rawValue == 1000 {
                serial = last
                log.clipboard.read(.text, of: last, limit: 100, as: ClipboardReadID(1))
            }
            if case .content? = log.events.last { return true }
            return false
        }
        guard case .content(_, let read)? = log.events.last else { return }
        #expect(read == .success(Array("copy 1000".utf8)))
        // The program got a few requests for targets, and one for content.
        #expect((1...100).contains(client.asked[client.atoms.targets] ?? 0))
        #expect(client.asked[client.atoms.utf8String] == 1)
    }

    @Test func aProgramThatNeverAnswersIsGivenUp() throws {
        var options = X11ClipboardOptions()
        options.readPatience = .milliseconds(200)
        let log = try ClipboardLog(desktop.display, options: options)
        let client = try ClipboardClient(desktop.display)
        client.copy()
        client.sync()
        let change = try log.nextChange()
        #expect(change.formats.isEmpty && log.drops("targets-missing") == 1)
        #expect(try log.read(.text, of: change.serial) == .failure(.gone))
        // The next copy is reported as usual.
        let program = try ClipboardPrograms.xclip([65], "UTF8_STRING", on: desktop)
        let next = try log.nextChange()
        #expect(try log.read(.text, of: next.serial) == .success([65]))
        // The program of that copy is stopped.
        program.kill(SIGSTOP)
        #expect(try log.read(.text, of: next.serial) == .failure(.timedOut))
        #expect(log.drops("read-timed-out") == 1)
        program.kill(SIGCONT)
        #expect(try log.read(.text, of: next.serial) == .success([65]))
    }

    @Test func whatIsGoneIsSaid() throws {
        let log = try ClipboardLog(desktop.display)
        let program = try ClipboardPrograms.xclip([65], "UTF8_STRING", on: desktop)
        let change = try log.nextChange()
        program.kill()
        let gone = try log.nextChange()
        #expect(gone.formats.isEmpty && gone.serial != change.serial)
        #expect(try log.read(.text, of: change.serial) == .failure(.gone))
    }

    /// Another copy is made during a read.
    @Test func aReadThatIsOvertakenFails() throws {
        let log = try ClipboardLog(desktop.display)
        let client = try ClipboardClient(desktop.display)
        client.copy()
        try client.serve([client.atoms.utf8String: [65]]) { !log.events.isEmpty }
        let change = try log.nextChange()
        log.clipboard.read(.text, of: change.serial, limit: 100, as: ClipboardReadID(1))
        client.sync()
        let program = try ClipboardPrograms.xclip([66], "UTF8_STRING", on: desktop)
        let content = try log.next("content") { if case .content(_, let content) = $0 { content } else { nil } }
        #expect(content == .failure(.gone))
        #expect(try log.read(.text, of: log.nextChange().serial) == .success([66]))
        withExtendedLifetime(program) {}
    }

    @Test func whatWasCopiedBeforeIsReportedAtTheStart() throws {
        let program = try ClipboardPrograms.xclip([65], "UTF8_STRING", on: desktop)
        let log = try ClipboardLog(desktop.display)
        let change = try log.nextChange()
        #expect(change.formats == [.text])
        #expect(try log.read(.text, of: change.serial) == .success([65]))
        withExtendedLifetime(program) {}
    }

    @Test func primaryByWish() throws {
        var options = X11ClipboardOptions()
        options.selection = .primary
        let clipboard = try ClipboardLog(desktop.display)
        let primary = try ClipboardLog(desktop.display, options: options)
        let marked = try ClipboardPrograms.xclip([65], "UTF8_STRING", on: desktop, selection: "primary")
        let copied = try ClipboardPrograms.xclip([66], "UTF8_STRING", on: desktop)
        #expect(try primary.read(.text, of: primary.nextChange().serial) == .success([65]))
        #expect(try clipboard.read(.text, of: clipboard.nextChange().serial) == .success([66]))
        primary.offer([.text: [67]])
        marked.kill()
        #expect(
            Patience().wait {
                (try? ClipboardPrograms.xclipPaste("UTF8_STRING", on: desktop, selection: "primary")) == [67]
            })
        #expect(try ClipboardPrograms.xclipPaste("UTF8_STRING", on: desktop) == [66])
        withExtendedLifetime(copied) {}
    }
}
