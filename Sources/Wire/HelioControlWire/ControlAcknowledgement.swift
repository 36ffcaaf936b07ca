/// The host's acknowledgement to the viewer, after every ``ControlInput``: what has been done, and how much input it
/// can take.
///
/// ```
///  0      1                 5                9            13         15
///  +------+-----------------+----------------+------------+----------+
///  |  2   | next event u32  | next motion u32| echo u32   | rate u16 |
///  +------+-----------------+----------------+------------+----------+
/// ```
package struct ControlAcknowledgement: Hashable, Sendable {
    /// The next reliable event: all before it are done.
    package var nextEvent: UInt32
    /// The next motion: all before it is done, or made obsolete by what came after it.
    package var nextMotion: UInt32
    /// The ``ControlInput/sentAt`` of the datagram that this answers.
    package var echo: UInt32
    /// The moves a second that the target consumes; never 0.
    package var eventsPerSecond: UInt16

    package init(nextEvent: UInt32, nextMotion: UInt32, echo: UInt32, eventsPerSecond: UInt16) {
        self.nextEvent = nextEvent
        self.nextMotion = nextMotion
        self.echo = echo
        self.eventsPerSecond = eventsPerSecond
    }
}
