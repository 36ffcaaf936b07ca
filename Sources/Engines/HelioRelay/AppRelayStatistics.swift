package import HelioCore

/// The statistics of the app's end of the relay.
package struct AppRelayStatistics: Sendable {
    package var pictures = 0
    package var sounds = 0
    /// The number of bytes received from extensions.
    package var bytes = 0
    /// The number of extensions that have become active.
    package var extensions = 0
    package var drops = DropCounter<AppRelayDrop>()

    package init() {}
}
