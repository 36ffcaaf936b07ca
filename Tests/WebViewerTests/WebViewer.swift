import HelioCore
import HelioTestPrograms

/// A page that is admitted as a viewer.
final class WebViewer {
    private struct Box: Decodable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    let page: Page
    private let size: PixelSize

    /// - Parameter size: the size of the host's screen.
    init(_ page: Page, of size: PixelSize) {
        self.page = page
        self.size = size
    }

    /// Waits until the page is admitted and shows a picture.
    func waitForPicture(seconds: Double = 30) throws {
        do {
            // Firefox counts no frames of a stream.
            try page.until(
                """
                document.body.dataset.screen === 'watching' && document.querySelector('#picture').videoWidth > 0
                    && document.querySelector('#picture').readyState >= 2
                """, seconds: seconds)
        } catch {
            let shown = try? page.evaluate("document.body.innerText", as: String.self)
            throw BrowserError(description: "\(error); the page shows: \(shown ?? "nothing")")
        }
    }

    static let frames = "(document.querySelector('#picture').getVideoPlaybackQuality().totalVideoFrames)"

    /// The number of pictures shown so far.
    var frames: Int { get throws { try page.evaluate(Self.frames) } }

    /// Waits until this many more pictures were shown.
    func waitForFrames(_ more: Int, seconds: Double = 30) throws {
        let now = try frames
        try page.until("\(Self.frames) >= \(now + more)", seconds: seconds)
    }

    /// Waits until the page shows a picture of the host's present screen.
    ///
    /// - Parameter show: makes the host send a picture.
    func waitForNextPicture(_ show: () -> Void) throws {
        // The first picture that arrives may have been in transit.
        for _ in 0..<2 {
            let before = try frames
            show()
            try page.until("\(Self.frames) > \(before)")
        }
    }

    /// The present position of a pixel of the host's screen on the page.
    func place(x: Int, y: Int) throws -> Place {
        let box: Box = try page.evaluate(
            "document.querySelector('#picture').getBoundingClientRect().toJSON()")
        return Place(
            x: box.x + (Double(x) + 0.5) / Double(size.width) * box.width,
            y: box.y + (Double(y) + 0.5) / Double(size.height) * box.height)
    }

    /// Waits until the host has permitted control, which follows the picture: earlier input is lost.
    func waitForControl() throws {
        try page.until("!['…', 'Watching'].includes(document.querySelector('#driver').textContent)")
    }

    /// Opens a panel of the bar with the keyboard: the bar's shortcut shows it, and it stays while it has the focus.
    func openPanel(_ name: String) throws {
        if try page.evaluate("!document.querySelector('#\(name)').hidden") { return }
        let isThere = "document.querySelector('#top').contains(document.activeElement)"
        if try !page.evaluate(isThere) { try page.strike(.control, .alt, .shift, .letter("h")) }
        try page.until(isThere)
        try page.click(on: "#\(name)-button")
        try page.until("!document.querySelector('#\(name)').hidden")
    }

    /// Shows the bar without user input that the page would count: it stays since it has the focus.
    func holdBar() throws {
        try page.run("document.querySelector('#handle').click(); document.querySelector('#people-button').focus()")
    }

    func move(x: Int, y: Int) throws { try page.move(try place(x: x, y: y)) }

    func click(x: Int, y: Int, _ button: Page.Button = .left) throws {
        try page.click(try place(x: x, y: y), button)
    }

    /// Waits until a pixel of the newest picture is close to a color, 0xRRGGBB.
    func waitForColor(_ color: UInt32, x: Int, y: Int, seconds: Double = 30) throws {
        try page.until(
            """
            (() => {
                const video = document.querySelector('#picture');
                const context = (globalThis.eye ??= new OffscreenCanvas(1, 1).getContext('2d'));
                context.drawImage(video, \(x), \(y), 1, 1, 0, 0, 1, 1);
                const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
                return Math.max(Math.abs(red - \(color >> 16)), Math.abs(green - \(color >> 8 & 0xFF)),
                    Math.abs(blue - \(color & 0xFF))) <= 12;
            })()
            """, seconds: seconds)
    }

    /// Paints the screen and waits until the page shows it, which proves that the session works.
    func waitForColorChange(on desktop: WebDesktop) throws {
        let color = desktop.nextColor()
        let (width, height) = (size.width, size.height)
        desktop.screen.fill([(color, PixelRect(x: 0, y: 0, width: width, height: height))])
        try waitForColor(color, x: width / 2, y: height / 2)
    }

    /// Waits until the picture's peak signal-to-noise ratio reaches this value in dB; returns the best one seen.
    func waitForLikeness(_ decibels: Double, to screen: Desktop) throws -> Double {
        var best = 0.0
        let patience = Patience()
        while true {
            let now = try frames
            best = max(best, try screen.screenshot(size).psnr(try page.picture("#picture")))
            if best >= decibels || patience.isOver { return best }
            // Waits for the next picture; Firefox counts none.
            try? page.until("\(Self.frames) > \(now)", seconds: 1)
        }
    }
}
