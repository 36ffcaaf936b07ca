package import HelioAdmission
package import HelioCore
package import HelioHost

/// Receives the events of a `SourceServer` for the rest of the source. All methods are called on the server's event
/// loop, and must not block.
package protocol HostObserver: AnyObject, Sendable {
    /// Handles an event for the host's user, its app or its encoder.
    func handle(_ event: SourceHost.Event)
    /// Shows a sentence to the host's user.
    func note(_ sentence: String)
    /// Takes the paired devices, which the host admits from now on, and no others.
    func changed(_ devices: [PairedDevice])
    /// Plays a packet of a viewer's voice.
    func play(_ packet: ReceivedSound, of viewer: ConnectionID)
    /// Executes a command for the host's clipboard.
    func execute(_ order: ClipboardOrder)
    /// Handles an event of a viewer's file transfer.
    func handle(_ news: FileNews, of viewer: ConnectionID)
}

extension HostObserver {
    /// Ignores the devices; the default for a source that is not reached by a rendezvous server.
    package func changed(_: [PairedDevice]) {}
    /// Ignores the packet; the default for a source that accepts no voices.
    package func play(_: ReceivedSound, of _: ConnectionID) {}
    /// Ignores the command; the default for a source without a clipboard.
    package func execute(_: ClipboardOrder) {}
    /// Ignores the event; the default for a source without file transfer.
    package func handle(_: FileNews, of _: ConnectionID) {}
}
