public import HelioCore

/// A browser user's preferences for the video, for a path that can't or should not carry its full bitrate.
public struct PictureWish: Hashable, Sendable {
    /// The property that the host preserves if it has to reduce the bitrate.
    public enum Preference: String, Hashable, Sendable, CaseIterable {
        /// Preserves the picture size, and reduces the frame rate.
        case sharpness
        /// Preserves the frame rate, and reduces the picture size.
        case motion
    }

    /// The maximum bitrate; `nil` if only the path limits it.
    public var most: Bitrate?
    /// The preference; `nil` lets the host decide by the contents of the picture.
    public var prefers: Preference?

    /// Makes preferences; `nil` for each that the viewer does not have.
    public init(most: Bitrate? = nil, prefers: Preference? = nil) {
        self.most = most
        self.prefers = prefers
    }

    /// The range of ``most`` in bits per second. Its lower bound is the lowest bitrate that a host assumes for any
    /// path.
    public static let range = 300_000...1_000_000_000
}
