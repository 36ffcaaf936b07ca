package import HelioCore
package import HelioMedia

/// The orders for a screen's pictures that were given since the driver last collected them: the newest of each kind,
/// `nil` if there is none.
package struct PictureOrders: Sendable {
    /// The format that all viewers agree on.
    package struct Agreement: Sendable, Hashable {
        package var format: VideoFormat
        /// The largest picture that all viewers accept; `nil`: no limit.
        package var largest: PixelSize?

        package init(format: VideoFormat, largest: PixelSize?) {
            self.format = format
            self.largest = largest
        }
    }

    package var isWatched: Bool?
    package var wishes: [EncodingID: PictureWishes] = [:]
    /// The bitrate that the viewers' paths carry; the engine limits it to the agreed one.
    package var bitrate: Bitrate?
    /// The bitrate of the second encode; `.some(nil)`: no second encode is wanted from now on.
    package var second: Bitrate??
    /// The kind of content that each encode's viewers prefer to preserve where the bitrate is too low for everything;
    /// `nil`: as detected.
    package var preferences: [EncodingID: ContentKind?] = [:]
    package var agreement: Agreement?
    /// The monitor to capture from now on.
    package var monitor: ScreenMonitor.ID?
    /// True if the picture is to be coded once more, though nothing has changed.
    package var repeatsPicture = false

    package init() {}
}
