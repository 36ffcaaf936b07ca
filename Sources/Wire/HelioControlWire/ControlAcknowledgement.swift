/// The host's acknowledgement to the viewer of every ``ControlInput``: the input that was executed so far, and the rate
/// of input that the host can process.
///
/// ```
///  0      1                 5                9            13         15
///  +------+-----------------+----------------+------------+----------+
///  |  2   | next event u32  | next motion u32| echo u32   | rate u16 |
///  +------+-----------------+----------------+------------+----------+
/// ```
package struct ControlAcknowledgement: Hashable, Sendable {
    /// The sequence number of the next reliable event: all earlier events have been executed.
    package var nextEvent: UInt32
    /// The sequence number of the next motion: all earlier motion has been executed or superseded by newer motion.
    package var nextMotion: UInt32
    /// The ``ControlInput/sentAt`` of the acknowledged datagram.
    package var echo: UInt32
    /// The number of pointer moves per second that the host's system can process; never 0.
    package var eventsPerSecond: UInt16

    package init(nextEvent: UInt32, nextMotion: UInt32, echo: UInt32, eventsPerSecond: UInt16) {
        self.nextEvent = nextEvent
        self.nextMotion = nextMotion
        self.echo = echo
        self.eventsPerSecond = eventsPerSecond
    }
}
