internal import CSDL2
internal import HelioCore

/// Memory for a window's pixels, and the way from there to the screen. For use on the window's thread.
protocol PixelTarget: AnyObject {
    /// The window's size in pixels.
    var size: PixelSize { get }
    /// The surface to draw on, valid until the window changes; `nil` if there is none with 4 bytes per pixel in the
    /// order B, G, R.
    var surface: UnsafeMutablePointer<SDL_Surface>? { get }
    /// Prepares the surface, of which only `rects` will be drawn. Called after `surface`, before drawing.
    func prepare(for rects: [PixelRect])
    /// Sends a drawn part to the screen. The part must not be drawn on again before `finish`.
    func put(_ rect: PixelRect)
    /// Ends the drawing. Returns false if it can't be shown.
    func finish() -> Bool
}
