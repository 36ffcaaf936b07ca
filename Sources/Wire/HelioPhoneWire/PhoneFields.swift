private import HelioCore

/// Reads the fields of a message's body one after the other, all big-endian.
struct PhoneFields {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var rest: Int { bytes.count - offset }

    mutating func byte() throws(PhoneWireError) -> UInt8 { try take(1, bytes.span.bytes.uint8(at: offset)) }
    mutating func word() throws(PhoneWireError) -> UInt16 { try take(2, bytes.span.bytes.uint16(at: offset)) }
    mutating func long() throws(PhoneWireError) -> UInt32 { try take(4, bytes.span.bytes.uint32(at: offset)) }
    mutating func huge() throws(PhoneWireError) -> UInt64 { try take(8, bytes.span.bytes.uint64(at: offset)) }

    /// A finite number of 32 bits.
    mutating func float() throws(PhoneWireError) -> Float {
        let value = Float(bitPattern: try long())
        guard value.isFinite else { throw .badValue }
        return value
    }

    mutating func flag() throws(PhoneWireError) -> Bool {
        let value = try byte()
        guard value <= 1 else { throw .badValue }
        return value == 1
    }

    mutating func bytes(_ count: Int) throws(PhoneWireError) -> [UInt8] {
        try take(count, bytes.span.bytes.bytes(at: offset, count: count))
    }

    mutating func remaining() throws(PhoneWireError) -> [UInt8] { try bytes(rest) }

    /// UTF-8 after its length in 2 bytes.
    mutating func text() throws(PhoneWireError) -> String {
        let count = Int(try word())
        guard count <= PhoneLimits.name else { throw .badValue }
        return try string(try bytes(count))
    }

    /// UTF-8 up to the end of the message.
    mutating func remainingText() throws(PhoneWireError) -> String { try string(try remaining()) }

    func end() throws(PhoneWireError) { if rest != 0 { throw .trailingBytes } }

    private func string(_ bytes: [UInt8]) throws(PhoneWireError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .badValue }
        return text
    }

    private mutating func take<Value>(_ count: Int, _ value: Value?) throws(PhoneWireError) -> Value {
        guard let value else { throw .truncated }
        offset += count
        return value
    }
}

extension [UInt8] {
    /// Appends UTF-8 after its length in 2 bytes; text that is too long is cut at a character.
    mutating func append(text: String) {
        var text = text[...]
        while text.utf8.count > PhoneLimits.name { text = text.dropLast() }
        append(bigEndian: UInt16(text.utf8.count))
        append(contentsOf: text.utf8)
    }

    mutating func append(float: Float) { append(bigEndian: float.bitPattern) }

    /// A message of this kind and body.
    static func message(_ kind: UInt8, _ body: [UInt8]) -> [UInt8] {
        var bytes = [kind]
        bytes.reserveCapacity(PhoneWire.headerSize + body.count)
        bytes.append(bigEndian: UInt32(body.count))
        bytes.append(contentsOf: body)
        return bytes
    }
}
