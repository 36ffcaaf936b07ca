package import HelioCore

/// A sender of a broadcast to one destination, over whatever transport: it connects, sends, and begins again by itself,
/// and tells ``BroadcastEvent``s.
package protocol BroadcastSending: Sendable {
    /// Sends a picture, or drops it and counts that. Any thread; never blocks.
    func send(_ picture: BroadcastPicture)

    /// Sends a packet of sound, or drops it and counts that. Any thread; never blocks. Other codecs than that which the
    /// sender was made for are dropped.
    func send(_ sound: EncodedSound)

    /// What it has sent, and how that goes.
    var statistics: BroadcastStatistics { get }

    /// Sends what waits, if that goes soon, and ends. Returns when the last event has come.
    func close() async
}
