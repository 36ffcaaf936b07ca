/// The limits and timeouts of one end of the clipboard exchange. The maximum size of one content is in its terms.
package struct ClipboardSettings: Sendable, Hashable {
    /// The default of the maximum size of one content, in bytes.
    package static let usualLimit: UInt32 = 16 << 20

    /// The maximum number of concurrent transfers in each direction; further transfers are refused as `busy`.
    package var transfers = 4
    /// The maximum size of the content held in memory in each direction, in bytes, of all transfers together.
    package var bufferedBytes = 32 << 20
    /// The maximum number of bytes queued for the channel, and the receive window of each transfer. It is small, as
    /// input on the same link waits behind these bytes.
    package var window = 64 * 1024
    /// The timeout of a transfer without progress.
    package var patience = Duration.seconds(15)
    /// The maximum duration of a transfer, whatever its progress.
    package var longest = Duration.seconds(600)
    /// The minimum interval of offers, in each direction. Of offers within the interval, only the newest is used.
    package var offerInterval = Duration.milliseconds(100)
    /// The maximum number of short answers queued for the channel, such as refusals and cancellations.
    package var answers = 64
    /// The maximum number of bytes of text and HTML together that are fetched as soon as the peer offers them, so that
    /// they remain available once the peer has left; 0 to fetch content only when it is pasted.
    package var fetchedAhead = 0

    /// The settings of a host, whose viewers may vanish at any time.
    package static let host: ClipboardSettings = {
        var settings = ClipboardSettings()
        settings.fetchedAhead = 64 * 1024
        return settings
    }()

    package init() {}
}
