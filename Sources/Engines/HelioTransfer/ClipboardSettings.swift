/// The limits and times of one end of the clipboard exchange. The most bytes of one content are in its terms.
package struct ClipboardSettings: Sendable, Hashable {
    /// The default for the most bytes of one content.
    package static let usualLimit: UInt32 = 16 << 20

    /// The most transfers under way at once, in each direction; more are refused as `busy`.
    package var transfers = 4
    /// The most bytes of content held in memory, in each direction, of all transfers together.
    package var bufferedBytes = 32 << 20
    /// The most bytes in flight: those queued for the channel, and those of each transfer that are not received yet.
    /// Input shares the link, and has to wait behind them.
    package var window = 64 * 1024
    /// How long a transfer may make no progress.
    package var patience = Duration.seconds(15)
    /// How long a transfer may take, whatever its progress.
    package var longest = Duration.seconds(600)
    /// The shortest time between two offers, in each direction. Of the offers that come sooner, only the newest is
    /// used.
    package var offerInterval = Duration.milliseconds(100)
    /// The most refusals and cancellations queued for the channel.
    package var answers = 64
    /// The most bytes of text and HTML together that are fetched as soon as the other end offers them, so that they
    /// outlast it; 0 if content is fetched only when it is pasted.
    package var fetchedAhead = 0

    /// The settings of a host, whose viewers may vanish at any time.
    package static let host: ClipboardSettings = {
        var settings = ClipboardSettings()
        settings.fetchedAhead = 64 * 1024
        return settings
    }()

    package init() {}
}
