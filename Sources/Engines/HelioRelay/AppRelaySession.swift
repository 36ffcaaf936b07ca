import HelioCore
import HelioRelayWire

/// One connection of an extension, as the app has it.
struct AppRelaySession: Sendable {
    let id: ConnectionID
    var reader: RelayReader
    var lastHeard: Instant
    var saidHello = false
    /// The version that both ends know.
    var version: UInt8 = 0
    var format: RelayFormat?
    var picture: RelayAssembly?
    /// True until a keyframe has come whole, and after a picture was lost.
    var needsKeyframe = true

    init(id: ConnectionID, limits: RelayLimits, now: Instant) {
        self.id = id
        reader = RelayReader(from: .broadcastExtension, limits: limits)
        lastHeard = now
    }
}
