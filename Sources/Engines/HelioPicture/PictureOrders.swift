package import HelioCore
package import HelioMedia

/// The orders for a screen's pictures since the driver last collected them. Only the newest order of each kind counts;
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
    /// The bitrate of the viewers' paths; the engine limits it to the agreed bitrate.
    package var bitrate: Bitrate?
    /// The bitrate of the second encoding; `.some(nil)`: no second encoding is wanted from now on.
    package var second: Bitrate??
    /// The kind of content that each encoding's viewers prefer to preserve if the bitrate is too low for sharpness and
    /// frame rate; `nil`: as detected.
    package var preferences: [EncodingID: ContentKind?] = [:]
    package var agreement: Agreement?
    /// The monitor to capture from now on.
    package var monitor: ScreenMonitor.ID?
    /// True if the picture is to be coded again, even though nothing has changed.
    package var repeatsPicture = false

    package init() {}
}
