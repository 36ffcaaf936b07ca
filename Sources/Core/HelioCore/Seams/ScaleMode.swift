/// A way of fitting a picture into a window.
package enum ScaleMode: String, Sendable, Hashable, CaseIterable {
    /// The largest size that fits, with black bars; the default.
    case fit
    /// One pixel of the picture for one of the window; scrolled where the picture is larger.
    case actual
    /// The largest whole multiple (or, for a window that is too small, whole fraction) that fits: sharp pixels.
    case integer

    /// The next in turn, as the scale command steps through them.
    package var next: ScaleMode {
        switch self {
        case .fit: .actual
        case .actual: .integer
        case .integer: .fit
        }
    }
}
