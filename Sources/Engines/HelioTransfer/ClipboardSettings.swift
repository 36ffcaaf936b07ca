/// The bounds and times of one end of a clipboard's exchange. The most bytes of one content are in its terms.
package struct ClipboardSettings: Sendable, Hashable {
    /// The most bytes of one content, where nobody has said otherwise.
    package static let usualLimit: UInt32 = 16 << 20

    /// The transfers under way at once, each way; more are refused as `busy`.
    package var transfers = 4
    /// The most bytes of content that are held, each way, of all transfers together.
    package var bufferedBytes = 32 << 20
    /// The bytes that may be under way: given to the channel and not taken by it yet, and of each transfer not received
    /// yet. Input goes by the same link, and has to wait behind as much.
    package var window = 64 * 1024
    /// How long a transfer may make no progress.
    package var patience = Duration.seconds(15)
    /// How long a transfer may take, whatever its progress.
    package var longest = Duration.seconds(600)
    /// The least time from an offer to the next, each way. Of those that come sooner, only the newest counts.
    package var offerInterval = Duration.milliseconds(100)
    /// The refusals and cancellations that wait for the channel to take them.
    package var answers = 64

    package init() {}
}
