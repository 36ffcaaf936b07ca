/// The choice of a TCP port to listen on.
package enum PortChoice: Hashable, Sendable {
    /// This port, or any free one if it is taken.
    case preferably(Int)
    /// This port and no other; 0 for any free one.
    case exactly(Int)
}
