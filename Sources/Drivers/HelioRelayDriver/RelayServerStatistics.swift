import HelioCore
import HelioRelay

/// Counts of an app's end of the relay, with what its driver turned away.
package struct RelayServerStatistics: Sendable, DropReporting {
    package var pictures: Int
    package var sounds: Int
    package var bytes: Int
    package var extensions: Int
    /// By name.
    package var drops: [String: Int]

    init(_ engine: AppRelayStatistics, strangers: Int) {
        pictures = engine.pictures
        sounds = engine.sounds
        bytes = engine.bytes
        extensions = engine.extensions
        drops = engine.drops.byName
        if strangers > 0 { drops["relay-stranger"] = strangers }
    }
}
