import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// Content copied at the host is pasted on the browser's machine, and the other way round.
@Suite("In a browser: the clipboard", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct WebClipboardTests {
    private static let text = "Zwölf Boxkämpfer, 十二, 🥊"

    /// A browser connected to a host, with an X client.
    private struct Scene {
        let desktop: WebDesktop
        let client: XClient
        let browser: Browser
        let viewer: WebViewer

        /// Pasted keys wait for the clipboard only briefly, so that users don't notice. Here the time-out is twenty
        /// times as long, as the machine may be as slow.
        private static let patience = """
            {
                const real = setTimeout;
                globalThis.setTimeout = (act, delay = 0, ...rest) => real(act, delay <= 300 ? 20 * delay : delay, ...rest);
                globalThis.setTimeout.real = real;
            }
            """

        init(_ kind: Browser.Kind) throws {
            desktop = try WebDesktop()
            client = try XClient(desktop.screen, desktop.size)
            browser = try Browser(kind)
            viewer = try desktop.viewer(browser, before: Self.patience)
            // Records the content of the browser's clipboard on each paste.
            try viewer.page.run(
                """
                addEventListener("paste", ({clipboardData}) => {
                    window.pasted = clipboardData.getData("text/plain");
                }, true)
                """)
        }

        func drive() throws {
            try viewer.click(x: 400, y: 300)
            _ = try client.next(2)
        }

        /// Pastes with the keyboard, and returns the content.
        func pasteHere() throws -> String {
            try viewer.page.strike(.control, .letter("v"))
            return try viewer.page.evaluate("window.pasted ?? ''")
        }
    }

    @Test(
        "what is copied here is on the host's clipboard before its program sees the keys of a paste",
        arguments: [Browser.Kind.chromium, .firefox])
    func toHost(_ kind: Browser.Kind) throws {
        let scene = try Scene(kind)
        let (desktop, client, viewer) = (scene.desktop, scene.client, scene.viewer)
        try scene.drive()
        let json = try String(decoding: JSONEncoder().encode(Self.text), as: UTF8.self)
        try viewer.page.run("navigator.clipboard.writeText(\(json))")
        try viewer.page.strike(.control, .letter("v"))
        let (control, v): (UInt32, UInt32) = (0xFFE3, 0x76)
        try client.expect(
            [
                .key(keysym: control, isDown: true, modifiers: 0), .key(keysym: v, isDown: true, modifiers: 4),
                .key(keysym: v, isDown: false, modifiers: 4), .key(keysym: control, isDown: false, modifiers: 4),
            ])
        #expect(
            try ClipboardPrograms.xclipPaste("UTF8_STRING", on: desktop.screen) == Array(Self.text.utf8),
            "it is there with the keys")
        #expect(try viewer.page.problems() == [])
        // The copy stays when the tab is closed; the host has noticed that once it releases the viewer's keys.
        try viewer.page.press(.shift)
        let shift: UInt32 = 0xFFE1
        try client.expect([.key(keysym: shift, isDown: true, modifiers: 0)])
        try viewer.page.close()
        try client.expect([.key(keysym: shift, isDown: false, modifiers: 1)])
        #expect(try ClipboardPrograms.xclipPaste("UTF8_STRING", on: desktop.screen) == Array(Self.text.utf8))
    }

    @Test("what is copied at the host is pasted here, by who drives", arguments: [Browser.Kind.chromium, .firefox])
    func fromHost(_ kind: Browser.Kind) throws {
        let scene = try Scene(kind)
        let (desktop, viewer) = (scene.desktop, scene.viewer)
        let first = try ClipboardPrograms.xclip(Array("before".utf8), "UTF8_STRING", on: desktop.screen)
        try scene.drive()
        // A copy made before anybody had control is not put on the clipboard here without a click.
        try viewer.page.until("!document.querySelector('#copy-button').hidden")
        try viewer.holdBar()
        try viewer.page.click(on: "#copy-button")
        try viewer.page.until("document.querySelector('#copy-button').hidden")
        #expect(try scene.pasteHere() == "before")
        // Nor is a copy made just as the viewer takes control.
        let patience = Patience()
        var (second, copied, isPasted) = (first, "", false)
        while !isPasted, !patience.isOver {
            copied = "\(Self.text) \(UUID())"
            second = try ClipboardPrograms.xclip(Array(copied.utf8), "UTF8_STRING", on: desktop.screen)
            for _ in 0..<10 where !isPasted { isPasted = try scene.pasteHere() == copied }
        }
        #expect(isPasted)
        // The host's clipboard still belongs to the program: its content was not offered back.
        #expect(try ClipboardPrograms.xclipPaste("UTF8_STRING", on: desktop.screen) == Array(copied.utf8))
        let formats = try ClipboardPrograms.xclipPaste("TARGETS", on: desktop.screen)
        #expect(String(decoding: formats, as: UTF8.self) == "TARGETS\nUTF8_STRING\n")
        withExtendedLifetime((first, second)) {}
        #expect(try viewer.page.problems() == [])
    }

    // MARK: - Pictures: Firefox without a screen has none on its clipboard

    /// A script for the page: makes an opaque picture of many colors, and checks whether another is equal.
    private static let pictures = """
        Object.assign(window, {
            makePicture() {
                const canvas = new OffscreenCanvas(320, 200), context = canvas.getContext("2d");
                const image = context.createImageData(320, 200);
                image.data.forEach((_, i) => {
                    image.data[i] = i % 4 === 3 ? 255 : Math.imul(i, 2654435761) >>> 24;
                });
                context.putImageData(image, 0, 0);
                return canvas.convertToBlob({type: "image/png"});
            },
            async pixelsOf(blob) {
                const bitmap = await createImageBitmap(blob), {width, height} = bitmap;
                const context = new OffscreenCanvas(width, height).getContext("2d");
                context.drawImage(bitmap, 0, 0);
                return `${width} ${height} ${context.getImageData(0, 0, width, height).data.join()}`;
            },
            async isThePicture(blob) { return await pixelsOf(blob) === await pixelsOf(await makePicture()); },
        });
        addEventListener("paste", ({clipboardData}) => { window.pastedFiles = [...clipboardData.files]; }, true);
        """

    @Test("a picture that is copied here is on the host's clipboard once it was pasted there")
    func pictureToHost() throws {
        let scene = try Scene(.chromium)
        let (desktop, viewer) = (scene.desktop, scene.viewer)
        try viewer.page.run(Self.pictures)
        try scene.drive()
        try viewer.page.run(
            """
            makePicture().then((picture) => navigator.clipboard.write([new ClipboardItem({"image/png": picture})]))
            """)
        let patience = Patience()
        var found: [UInt8] = []
        while found.isEmpty, !patience.isOver {
            try viewer.page.strike(.control, .letter("v"))
            found = (try? ClipboardPrograms.xclipPaste("image/png", on: desktop.screen)) ?? []
        }
        let base64 = Data(found).base64EncodedString()
        let isSame: Bool = try viewer.page.evaluate(
            """
            isThePicture(new Blob([Uint8Array.from(atob("\(base64)"), (byte) => byte.charCodeAt(0))], {type: "image/png"}))
            """)
        #expect(isSame)
        #expect(try viewer.page.problems() == [])
    }

    @Test("a picture that was copied at the host is pasted here, by who presses the button for it")
    func pictureFromHost() throws {
        let scene = try Scene(.chromium)
        let (desktop, viewer) = (scene.desktop, scene.viewer)
        try viewer.page.run(Self.pictures)
        let base64: String = try viewer.page.evaluate(
            """
            makePicture().then((picture) => new Promise((tell) => {
                const reader = new FileReader();
                reader.onload = () => tell(reader.result.split(",")[1]);
                reader.readAsDataURL(picture);
            }))
            """)
        let picture = [UInt8](try #require(Data(base64Encoded: base64)))
        let program = try ClipboardPrograms.xclip(picture, "image/png", on: desktop.screen)
        try scene.drive()
        try viewer.page.until("!document.querySelector('#copy-button').hidden")
        try viewer.holdBar()
        try viewer.page.click(on: "#copy-button")
        try viewer.page.until("document.querySelector('#copy-button').hidden")
        _ = try scene.pasteHere()
        try viewer.page.until("window.pastedFiles?.length === 1")
        let isSame: Bool = try viewer.page.evaluate("isThePicture(window.pastedFiles[0])")
        #expect(isSame)
        withExtendedLifetime(program) {}
        #expect(try viewer.page.problems() == [])
    }
}
