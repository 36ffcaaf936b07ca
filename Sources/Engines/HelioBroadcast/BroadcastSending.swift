package import HelioCore

/// A sender of a broadcast to one destination, over any transport. It connects, sends, reconnects automatically, and
/// reports ``BroadcastEvent``s.
package protocol BroadcastSending: Sendable {
    /// Sends a picture, or drops and counts it. Can be called on any thread, and never blocks.
    func send(_ picture: BroadcastPicture)

    /// Sends a packet of sound, or drops and counts it. Packets of another codec than the sender's are always dropped.
    /// Can be called on any thread, and never blocks.
    func send(_ sound: EncodedSound)

    /// The broadcast's statistics, with the present state of the connection.
    var statistics: BroadcastStatistics { get }

    /// Sends the queued units, within the end timeout, and ends the broadcast. Returns after the last event.
    func close() async
}
