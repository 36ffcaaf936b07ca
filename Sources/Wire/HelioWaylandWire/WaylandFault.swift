/// The reason why bytes from a compositor can't be read. After it the stream is of no use: messages have no marks by
/// which the next one could be found.
package enum WaylandFault: String, Error, Sendable, Hashable, CaseIterable {
    /// A message's size is below its header's, or no multiple of four.
    case size = "wayland-message-size"
    /// An event is shorter than its arguments, or a string in it has a wrong length.
    case arguments = "wayland-arguments"
    /// An event that carries a file descriptor came without one.
    case descriptorMissing = "wayland-descriptor-missing"
    /// More file descriptors are waiting for their events than a compositor has reason to send.
    case descriptorFlood = "wayland-descriptor-flood"
}
