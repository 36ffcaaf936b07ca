/// The choice of a TCP port to listen on.
package enum PortChoice: Hashable, Sendable {
    /// The given port, or any free port if that one is taken or not permitted.
    case preferably(Int)
    /// The given port and no other; 0 for any free port.
    case exactly(Int)
}
