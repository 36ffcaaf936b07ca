package import HelioCore

/// A browser user's wish for the picture, for a path that can't carry all of it, or should not.
package struct PictureWish: Hashable, Sendable {
    /// The quality that the host reduces last.
    package enum Preference: String, Hashable, Sendable, CaseIterable {
        /// Keeps the size and reduces the frame rate.
        case sharpness
        /// Keeps the frame rate and reduces the size.
        case motion
    }

    /// The most bits per second; `nil` for as many as the path carries.
    package var most: Bitrate?
    /// The preference; `nil` lets the host decide by the contents of the picture.
    package var prefers: Preference?

    package init(most: Bitrate? = nil, prefers: Preference? = nil) {
        self.most = most
        self.prefers = prefers
    }

    /// The range of ``most`` in bits per second, from the lowest bitrate that a host assumes of any path.
    package static let range = 300_000...1_000_000_000
}
