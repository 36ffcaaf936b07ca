package import HelioCore

/// What a browser's person wants of the picture, where the path can't carry all of it, or is not to.
package struct PictureWish: Hashable, Sendable {
    /// What is given up last.
    package enum Preference: String, Hashable, Sendable, CaseIterable {
        /// The size: fewer pictures come.
        case sharpness
        /// The pictures a second: they are smaller.
        case motion
    }

    /// The most bits a second; `nil`: as many as the path carries.
    package var most: Bitrate?
    /// `nil`: the host decides by what is shown.
    package var prefers: Preference?

    package init(most: Bitrate? = nil, prefers: Preference? = nil) {
        self.most = most
        self.prefers = prefers
    }

    /// The bits a second that ``most`` may be: from the least that a host believes of any path.
    package static let range = 300_000...1_000_000_000
}
