package import HelioCore

/// The statistics of the extension's end of the relay.
package struct ExtensionRelayStatistics: Sendable, Hashable {
    /// The number of pictures sent completely.
    package var pictures = 0
    /// The number of packets of sound sent.
    package var sounds = 0
    /// The number of bytes sent.
    package var bytes = 0
    /// The number of connections that the app has accepted with a welcome.
    package var connections = 0
    /// The number of accepted connections that were lost.
    package var losses = 0
    /// The maximum of `waitingBytes` so far.
    package var mostWaiting = 0
    package var drops = DropCounter<ExtensionDrop>()

    package init() {}
}
