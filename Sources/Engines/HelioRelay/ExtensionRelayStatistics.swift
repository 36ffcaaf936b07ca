package import HelioCore

/// Counts of an extension's end of the relay.
package struct ExtensionRelayStatistics: Sendable {
    /// Pictures whose last byte the socket has taken.
    package var pictures = 0
    /// Packets of sound that the socket has taken.
    package var sounds = 0
    /// Bytes that the socket has taken.
    package var bytes = 0
    /// Welcomes by an app.
    package var connections = 0
    /// Connections that were given up.
    package var losses = 0
    /// The most bytes that have ever waited.
    package var mostWaiting = 0
    package var drops = DropCounter<ExtensionDrop>()

    package init() {}
}
