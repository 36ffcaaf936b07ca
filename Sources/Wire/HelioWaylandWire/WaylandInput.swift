/// Cuts the bytes from a compositor into messages, and keeps the file descriptors that came beside them until the
/// events take them.
///
/// A message has the object's identifier in its first word, and in the second the size in bytes, header included, above
/// 16 bits of opcode. The owner reads all messages after each `receive`, so what is kept is at most the beginning of
/// one message.
package struct WaylandInput {
    package struct Message: Sendable, Hashable {
        package var object: UInt32
        package var opcode: UInt16
        /// The arguments, without the header.
        package var body: [UInt8]

        package init(object: UInt32, opcode: UInt16, body: [UInt8]) {
            self.object = object
            self.opcode = opcode
            self.body = body
        }
    }

    /// The most descriptors that wait for their events: libwayland sends at most 28 with one write.
    package static let mostDescriptors = 64

    private var bytes: [UInt8] = []
    private var offset = 0
    private var descriptors: [Int32] = []

    package init() {}

    /// Adds what has arrived. Throws `descriptorFlood`, and keeps none of the descriptors then.
    package mutating func receive(_ arrived: ArraySlice<UInt8>, descriptors more: [Int32]) throws(WaylandFault) {
        bytes.removeSubrange(..<offset)
        offset = 0
        bytes += arrived
        guard descriptors.count + more.count <= Self.mostDescriptors else { throw .descriptorFlood }
        descriptors += more
    }

    /// Returns the next whole message; `nil` if none has arrived.
    package mutating func next() throws(WaylandFault) -> Message? {
        guard let object = word(at: offset), let second = word(at: offset + 4) else { return nil }
        let size = Int(second >> 16)
        guard size >= 8, size % 4 == 0 else { throw .size }
        guard offset <= bytes.count - size else { return nil }
        defer { offset += size }
        return Message(
            object: object, opcode: UInt16(truncatingIfNeeded: second), body: Array(bytes[offset + 8..<offset + size]))
    }

    /// Returns the descriptor that was sent first and not taken yet; its receiver closes it.
    package mutating func takeDescriptor() -> Int32? {
        descriptors.isEmpty ? nil : descriptors.removeFirst()
    }

    /// Puts back a descriptor whose event could not be read, for the owner to close.
    mutating func putBack(_ descriptor: Int32) { descriptors.insert(descriptor, at: 0) }

    /// Returns the descriptors that no event has taken, for the owner to close.
    package mutating func takeDescriptors() -> [Int32] {
        defer { descriptors = [] }
        return descriptors
    }

    private func word(at place: Int) -> UInt32? {
        guard place <= bytes.count - 4 else { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt32.self) }
    }
}
