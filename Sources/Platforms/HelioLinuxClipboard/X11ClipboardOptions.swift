/// The selection, limits and time-outs of an X server's clipboard.
package struct X11ClipboardOptions: Sendable, Hashable {
    package var selection = X11Selection.clipboard
    /// The longest wait for the next chunk of a copying program's content; `readLimit` is the longest time for the
    /// complete content.
    package var readPatience = Duration.seconds(5)
    package var readLimit = Duration.seconds(15)
    /// The time for which the windows of cancelled reads are kept, as a program may still write to them; `abandoned` is
    /// their maximum number.
    package var abandonedTime = Duration.seconds(600)
    package var abandoned = 64
    /// The longest wait for the other machine to provide the content of a paste. Most pasting programs time out
    /// earlier.
    package var contentPatience = Duration.seconds(60)
    /// The longest wait for a pasting program to acknowledge a chunk.
    package var requestorPatience = Duration.seconds(10)
    /// The maximum number of pastes that are served at a time, and of reads that are queued; more are refused.
    package var requests = 16
    /// The minimum time between two requests for formats. If copies follow faster, only the latest one is examined.
    package var lookInterval = Duration.milliseconds(50)
    /// The maximum size of a chunk, in bytes; longer content is sent by INCR (ICCCM).
    package var pieceSize = 256 * 1024

    package init() {}
}
