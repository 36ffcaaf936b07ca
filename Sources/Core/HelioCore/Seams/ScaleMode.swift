/// A way of fitting a picture into a window.
package enum ScaleMode: String, Sendable, Hashable, CaseIterable {
    /// The largest size that fits, with black bars; the default.
    case fit
    /// One pixel of the picture per pixel of the window; a larger picture is scrolled.
    case actual
    /// The largest integer multiple that fits (or, for a window that is too small, integer fraction), for sharp pixels.
    case integer

    /// The next mode in the order of the scale command.
    package var next: ScaleMode {
        switch self {
        case .fit: .actual
        case .actual: .integer
        case .integer: .fit
        }
    }
}
