import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// Files between a browser and the real host.
@Suite("In a browser: files", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct WebFileTests {
    /// Starts a drop of files, made in the page, on the picture.
    private static func drop(_ files: [(name: String, content: String)], on page: Page) throws {
        let made = try String(decoding: JSONEncoder().encode(files.map { [$0.name, $0.content] }), as: UTF8.self)
        try page.run(
            """
            const transfer = new DataTransfer();
            for (const [name, content] of \(made)) transfer.items.add(new File([content], name));
            const stage = document.querySelector("#stage");
            for (const type of ["dragenter", "dragover", "drop"]) {
                stage.dispatchEvent(new DragEvent(type, {dataTransfer: transfer, bubbles: true, cancelable: true}));
            }
            """)
    }

    /// Sends a file of `count` lines from the host, accepts it in the page, and waits until the page has saved it
    /// unchanged; returns the type of the browser's object.
    private static func send(
        _ count: Int, from folder: String, of desktop: WebDesktop, to page: Page
    ) throws -> String {
        let file = folder + "/report.txt"
        try Data(lines(count).utf8).write(to: URL(fileURLWithPath: file))
        let send = try RunningProgram(
            RunningProgram.built("heliograph"), ["send", file],
            environment: ["HELIOGRAPH_HOME": desktop.folder.path + "/host"])
        try page.until("!document.querySelector('#offer').hidden")
        try page.click(on: "#offer-yes")
        try send.line(with: "Sent 'report.txt'")
        #expect(send.waitUntilExit() == 0)
        try page.until("Boolean(window.saved)")
        // Compared in the page: transferring the content here would take long.
        #expect(try page.evaluate("saved.text === \(Self.literal(line)).repeat(\(count))", as: Bool.self))
        return try page.evaluate("saved.kind")
    }

    private static let line = "Zwölf Boxkämpfer 🥊\n"
    private static func lines(_ count: Int) -> String { String(repeating: line, count: count) }

    private static func literal(_ text: String) throws -> String {
        try String(decoding: JSONEncoder().encode(text), as: UTF8.self)
    }

    /// A script that makes the page report its downloads.
    private static let telling = """
        {
            globalThis.saved = null;
            const make = URL.createObjectURL;
            URL.createObjectURL = (content) => {
                content.text().then((text) => { globalThis.saved = {text, kind: content.constructor.name}; });
                return make.call(URL, content);
            };
        }
        """

    @Test(
        "what is dropped on the picture lies in the host's folder, and what the host sends comes as a download",
        arguments: [Browser.Kind.chromium, .firefox])
    func bothWays(_ kind: Browser.Kind) throws {
        let folder = NSTemporaryDirectory() + "/heliograph-web-files-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let desktop = try WebDesktop(share: ["--files", "accept", "--files-folder", folder + "/in"])
        let browser = try Browser(kind)
        let viewer = try desktop.viewer(browser)
        let text = Self.lines(50_000)
        try Self.drop([("Grüße 十二.txt", text), ("b.txt", "b")], on: viewer.page)
        try desktop.host.line(with: "Received 2 files")
        #expect(try String(contentsOfFile: folder + "/in/Grüße 十二.txt", encoding: .utf8) == text)
        #expect(try String(contentsOfFile: folder + "/in/b.txt", encoding: .utf8) == "b")

        try viewer.page.run(Self.telling)
        #expect(try Self.send(1, from: folder, of: desktop, to: viewer.page) == "Blob")
        #expect(try viewer.page.problems() == [])
    }

    @Test("what Firefox would not hold in memory is on its disk until it is downloaded")
    func onDisk() throws {
        let folder = NSTemporaryDirectory() + "/heliograph-web-files-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let desktop = try WebDesktop()
        let browser = try Browser(.firefox)
        let viewer = WebViewer(try browser.page(), of: WebDesktop.small)
        // Sets the size in bytes above which a file counts as large.
        try viewer.page.before("globalThis.heliographSmall = 1000; " + Self.telling)
        try viewer.page.open(try desktop.newLink())
        try viewer.waitForPicture()
        // A file in the browser's file system; one in memory is a Blob.
        #expect(try Self.send(50_000, from: folder, of: desktop, to: viewer.page) == "File")
        // The file stays there until the browser has saved it, with the time of its deletion.
        let names: [String] = try viewer.page.until(
            """
            (async () => {
                const root = await (await navigator.storage.getDirectory()).getDirectoryHandle('received');
                const names = [];
                for await (const batch of root.values()) for await (const name of batch.keys()) names.push(name);
                return names.length === 2 && names.map((name) => name.replace(/[0-9]+$/, '')).sort();
            })()
            """)
        #expect(names == ["", "until-"])
        #expect(try viewer.page.problems() == [])
    }

    @Test("a host that takes none says so in the page")
    func refused() throws {
        let desktop = try WebDesktop(share: ["--files", "refuse"])
        let browser = try Browser()
        let viewer = try desktop.viewer(browser)
        try Self.drop([("a.txt", "a")], on: viewer.page)
        try viewer.page.until("document.querySelector('#files').textContent.includes('exchanges no files')")
    }
}
