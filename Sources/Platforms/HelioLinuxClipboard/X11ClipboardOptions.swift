/// The bounds and times of an X server's clipboard.
package struct X11ClipboardOptions: Sendable, Hashable {
    package var selection = X11Selection.clipboard
    /// How long a program that has copied may take for its next piece of content, and for all of it.
    package var readPatience = Duration.seconds(5)
    package var readLimit = Duration.seconds(15)
    /// How long, and how many at most, windows are kept that a program may still write to after its read was given up.
    package var abandonedTime = Duration.seconds(600)
    package var abandoned = 64
    /// How long content of the other machine may take that a program pastes. Most programs give up before.
    package var contentPatience = Duration.seconds(60)
    /// How long a program that pastes may take for each piece of it.
    package var requestorPatience = Duration.seconds(10)
    /// The pastes that are served at once; more are refused. So many reads may wait, too.
    package var requests = 16
    /// The least time from one look at what was copied to the next. Of quicker copies only the newest is looked at.
    package var lookInterval = Duration.milliseconds(50)
    /// Content of more bytes goes to whoever pastes in pieces (ICCCM, INCR).
    package var pieceSize = 256 * 1024

    package init() {}
}
