import HelioCore
import HelioRelay

/// The statistics of the app's end of a relay, with the connections that its driver refused.
package struct RelayServerStatistics: Sendable, DropReporting {
    package var pictures: Int
    package var sounds: Int
    package var bytes: Int
    package var extensions: Int
    /// The dropped items, counted by name.
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
