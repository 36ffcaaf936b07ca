package import HelioCore
package import HelioHost

/// The rest of a source, as its `SourceServer` sees it. All calls come on the server's event loop, and must not block.
package protocol HostObserver: AnyObject, Sendable {
    /// Handles an event for the host's person, its app or its encoder.
    func handle(_ event: SourceHost.Event)
    /// Shows a sentence to the host's person.
    func note(_ sentence: String)
    /// Plays a packet of a viewer's voice.
    func play(_ packet: ReceivedSound, of viewer: ConnectionID)
    /// Executes an order for the host's clipboard.
    func execute(_ order: ClipboardOrder)
    /// Handles an event of a viewer's file channel.
    func handle(_ news: FileNews, of viewer: ConnectionID)
}

extension HostObserver {
    /// Does nothing, for a source without voice in.
    package func play(_: ReceivedSound, of _: ConnectionID) {}
    /// Does nothing, for a source without a clipboard.
    package func execute(_: ClipboardOrder) {}
    /// Does nothing, for a source without files.
    package func handle(_: FileNews, of _: ConnectionID) {}
}
