package import HelioCore

/// Counts of an app's end of the relay.
package struct AppRelayStatistics: Sendable {
    package var pictures = 0
    package var sounds = 0
    /// Bytes that extensions have sent.
    package var bytes = 0
    /// Extensions that were welcomed.
    package var extensions = 0
    package var drops = DropCounter<AppRelayDrop>()

    package init() {}
}
