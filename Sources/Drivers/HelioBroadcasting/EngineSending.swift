package import HelioBroadcast
package import HelioCore
package import HelioLoop

/// A sender that consists of an engine, which any thread can feed, and a driver of its connection.
package protocol EngineSending: BroadcastSending {
    associatedtype E: SenderEngine

    var engine: SharedEngine<E> { get }
}

extension EngineSending {
    package func send(_ picture: BroadcastPicture) { engine.submit(.picture(picture)) }

    package func send(_ sound: EncodedSound) { engine.submit(.sound(sound)) }

    package var statistics: BroadcastStatistics { engine.read { engine, now in engine.statistics(now: now) } }
}
