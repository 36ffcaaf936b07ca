/// Reads the arguments of an event in order. A number is a word of 32 bits in the machine's byte order (Wayland
/// protocol, "Wire Format").
package struct WaylandReader {
    private let body: [UInt8]
    private var offset = 0

    package init(_ body: [UInt8]) { self.body = body }

    package mutating func uint() throws(WaylandFault) -> UInt32 {
        guard offset <= body.count - 4 else { throw .arguments }
        defer { offset += 4 }
        return body.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }

    package mutating func int() throws(WaylandFault) -> Int {
        Int(Int32(bitPattern: try uint()))
    }

    /// Reads an object's identifier; `nil` for none.
    package mutating func object() throws(WaylandFault) -> UInt32? {
        let id = try uint()
        return id == 0 ? nil : id
    }

    /// Reads a string, which ends with a zero byte and is padded to whole words. Bytes that are no UTF-8 are replaced.
    /// A missing string is read as an empty one.
    package mutating func string() throws(WaylandFault) -> String {
        let length = Int(try uint())
        if length == 0 { return "" }
        guard length <= body.count - offset, body[offset + length - 1] == 0 else { throw .arguments }
        let text = String(decoding: body[offset..<offset + length - 1], as: UTF8.self)
        offset = min(body.count, offset + (length + 3) & ~3)
        return text
    }
}
