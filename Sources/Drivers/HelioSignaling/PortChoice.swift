/// The choice of a TCP port to listen on.
package enum PortChoice: Hashable, Sendable {
    /// This port, or any free port if this one is taken or not permitted.
    case preferably(Int)
    /// This port and no other; 0 for any free port.
    case exactly(Int)
}
