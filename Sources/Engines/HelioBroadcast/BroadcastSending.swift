package import HelioCore

/// A sender of a broadcast to one destination, over any transport: connects, sends, reconnects by itself, and reports
/// ``BroadcastEvent``s.
package protocol BroadcastSending: Sendable {
    /// Sends a picture, or drops it and counts that. Any thread; never blocks.
    func send(_ picture: BroadcastPicture)

    /// Sends a packet of sound, or drops it and counts that. Any thread; never blocks. Packets of another codec than
    /// the sender's are dropped.
    func send(_ sound: EncodedSound)

    /// The counts, and the present state of the connection.
    var statistics: BroadcastStatistics { get }

    /// Sends the queued units, if that takes no longer than the end timeout, and ends. Returns after the last event.
    func close() async
}
