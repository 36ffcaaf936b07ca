private import Foundation
internal import HelioStores
internal import NIOCore
private import NIOPosix

/// The base of a source that all its parts use: made before the first part starts, and ended after the last part has
/// stopped.
struct Groundwork {
    /// The options, with the storage chosen for the key and pairings.
    let options: MirrorSource.Options
    let identity: Identity
    /// The event loop of all sockets.
    let loop: any EventLoop
    let events: SourceEvents
    /// The parts that have started; each part is added when it starts.
    let parts: RunningParts
    /// The name of this machine, as shown to paired devices and on the local network.
    let name: String

    /// Starts the event loop, and opens the sequence of events.
    init(_ options: MirrorSource.Options, identity: Identity) {
        self.options = options
        self.identity = identity
        parts = RunningParts()
        loop = parts.add(SocketLoop()).group.next()
        events = parts.add(SourceEvents())
        name = options.name ?? ProcessInfo.processInfo.hostName
    }
}
