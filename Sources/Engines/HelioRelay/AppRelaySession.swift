import HelioCore
import HelioRelayWire

/// The state of one extension's connection at the app's end.
struct AppRelaySession: Sendable {
    let id: ConnectionID
    var reader: RelayReader
    var lastHeard: Instant
    var saidHello = false
    /// The highest protocol version that both ends support.
    var version: UInt8 = 0
    var format: RelayFormat?
    var picture: RelayAssembly?
    /// True until a complete keyframe has arrived, and again after a picture was lost.
    var needsKeyframe = true

    init(id: ConnectionID, limits: RelayLimits, now: Instant) {
        self.id = id
        reader = RelayReader(from: .broadcastExtension, limits: limits)
        lastHeard = now
    }
}
