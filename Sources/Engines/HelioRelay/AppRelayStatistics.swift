package import HelioCore

/// Counts of an app's end of the relay.
package struct AppRelayStatistics: Sendable {
    package var pictures = 0
    package var sounds = 0
    /// The bytes received from extensions.
    package var bytes = 0
    /// The number of extensions that were welcomed.
    package var extensions = 0
    package var drops = DropCounter<AppRelayDrop>()

    package init() {}
}
