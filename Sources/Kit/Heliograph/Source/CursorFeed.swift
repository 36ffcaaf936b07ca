internal import HelioCore
private import HelioHost
internal import HelioServing

/// Sends the pointer to the viewers: its shape scaled like the picture, and its position in pixels of the screen. Used
/// on the media thread only.
final class CursorFeed<Source: CursorSource> {
    private let source: Source
    private let server: SourceServer
    private var shape: CursorShape?
    private var screen: PixelSize
    private var picture: PixelSize

    init(_ source: Source, screen: PixelSize, picture: PixelSize, server: SourceServer) {
        self.source = source
        self.screen = screen
        self.picture = picture
        self.server = server
    }

    func poll() throws(HelioError) {
        if let changed = try source.takeShape() {
            shape = changed
            tell()
        }
        if let (x, y) = try source.takePosition() { server.tellCursor(x: x, y: y) }
    }

    /// Sets the size of the screen, and the size at which it is encoded from now on.
    func scale(to picture: PixelSize, of screen: PixelSize) {
        if (picture, screen) == (self.picture, self.screen) { return }
        (self.picture, self.screen) = (picture, screen)
        tell()
    }

    private func tell() {
        guard let shape else { return }
        // An empty shape is sent too: it hides the pointer.
        server.submit(.cursorShape(shape.scaled(to: shape.size.scaled(by: picture, of: screen)) ?? shape))
    }
}

extension PixelSize {
    /// Scales this size by the ratio of `picture` to `screen`, rounded; a side that is not zero becomes at least one
    /// pixel.
    fileprivate func scaled(by picture: PixelSize, of screen: PixelSize) -> PixelSize {
        func side(_ length: Int, _ picture: Int, _ screen: Int) -> Int {
            max(min(1, length), (length * picture + screen / 2) / screen)
        }
        return PixelSize(
            width: side(width, picture.width, screen.width), height: side(height, picture.height, screen.height))
    }
}
