/// The bounds and times of an X server's clipboard.
package struct X11ClipboardOptions: Sendable, Hashable {
    package var selection = X11Selection.clipboard
    /// The longest time for a copying program's next piece of content; `readLimit` is the longest time for the complete
    /// content.
    package var readPatience = Duration.seconds(5)
    package var readLimit = Duration.seconds(15)
    /// The time for which the windows of cancelled reads are kept, as a program may still write to them; and the most
    /// of them.
    package var abandonedTime = Duration.seconds(600)
    package var abandoned = 64
    /// The longest wait for the other machine to provide the content of a paste. Most programs give up earlier.
    package var contentPatience = Duration.seconds(60)
    /// The longest time for a pasting program to take each piece.
    package var requestorPatience = Duration.seconds(10)
    /// The most pastes that are served at once, and the most reads that are queued; more are refused.
    package var requests = 16
    /// The shortest time between two requests for the formats of a copy. Of quicker copies only the newest is read.
    package var lookInterval = Duration.milliseconds(50)
    /// The most bytes of content that are sent in one piece (ICCCM, INCR).
    package var pieceSize = 256 * 1024

    package init() {}
}
