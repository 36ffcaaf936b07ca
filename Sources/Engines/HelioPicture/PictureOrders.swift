package import HelioCore
package import HelioMedia

/// What others want of a screen's pictures since they were last asked: the newest of each kind.
package struct PictureOrders: Sendable {
    /// The format that all viewers agree on.
    package struct Agreement: Sendable, Hashable {
        package var format: VideoFormat
        /// The largest picture that all viewers take; `nil`: any.
        package var largest: PixelSize?

        package init(format: VideoFormat, largest: PixelSize?) {
            self.format = format
            self.largest = largest
        }
    }

    package var isWatched: Bool?
    package var wishes: [EncodingID: PictureWishes] = [:]
    /// The bitrate that the paths carry.
    package var bitrate: Bitrate?
    /// The bitrate of the second encode; `nil` in it: none is wanted.
    package var second: Bitrate??
    /// What the viewers of each encode want to keep where the bitrate does not carry all.
    package var preferences: [EncodingID: ContentKind?] = [:]
    package var agreement: Agreement?
    /// The monitor to capture from now on.
    package var monitor: ScreenMonitor.ID?
    /// True where the picture is to be coded once more, though nothing has changed.
    package var repeatsPicture = false

    package init() {}
}
