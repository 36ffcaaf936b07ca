package import HelioCore

/// Counts of an extension's end of the relay.
package struct ExtensionRelayStatistics: Sendable {
    /// The number of pictures that the socket has taken completely.
    package var pictures = 0
    /// The number of packets of sound that the socket has taken.
    package var sounds = 0
    /// The bytes that the socket has taken.
    package var bytes = 0
    /// The number of times that an app has said welcome.
    package var connections = 0
    /// The number of open connections that were lost.
    package var losses = 0
    /// The most bytes ever queued.
    package var mostWaiting = 0
    package var drops = DropCounter<ExtensionDrop>()

    package init() {}
}
