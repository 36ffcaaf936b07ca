/// Which TCP port to listen on.
package enum PortChoice: Hashable, Sendable {
    /// This one, or any free one where it is taken.
    case preferably(Int)
    /// This one and no other; 0 for any free one.
    case exactly(Int)
}
