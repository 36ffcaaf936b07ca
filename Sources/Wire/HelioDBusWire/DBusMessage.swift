/// A message of D-Bus (D-Bus Specification, "Message Format").
package struct DBusMessage: Sendable, Hashable {
    package enum Kind: UInt8, Sendable, Hashable {
        case call = 1
        case reply = 2
        case error = 3
        case signal = 4
    }

    /// The most bytes of a message that are read. The specification allows 128 MiB; what is asked for here is small, as
    /// contents go through pipes.
    package static let mostBytes = 1 << 20

    package var kind: Kind
    package var path: String?
    package var interface: String?
    package var member: String?
    /// The error's name; `nil` for any other kind.
    package var errorName: String?
    /// The serial number of the call that this answers.
    package var replySerial: UInt32?
    package var destination: String?
    /// The sender's name, as set by the bus.
    package var sender: String?
    package var serial: UInt32 = 0
    /// True if the caller wants no answer.
    package var isOneWay = false
    /// True if the bus must not start the receiver.
    package var startsNobody = false
    package var descriptorCount = 0
    private var signature = ""
    private var bodyBytes: [UInt8] = []
    private var isBigEndian = false

    package init(_ kind: Kind) { self.kind = kind }

    /// Makes a call of a method.
    package static func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = []
    ) -> DBusMessage {
        var message = DBusMessage(.call)
        (message.destination, message.path, message.interface, message.member) = (destination, path, interface, member)
        message.setBody(arguments)
        return message
    }

    /// Makes a signal, to all who listen unless a destination is set.
    package static func signal(
        _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = []
    ) -> DBusMessage {
        var message = DBusMessage(.signal)
        (message.path, message.interface, message.member) = (path, interface, member)
        message.setBody(arguments)
        return message
    }

    /// Makes the answer to this call.
    package func answer(_ values: [DBusValue] = []) -> DBusMessage {
        var message = DBusMessage(.reply)
        (message.destination, message.replySerial) = (sender, serial)
        message.setBody(values)
        return message
    }

    /// Makes the answer to a call that fails.
    package func failure(_ name: String, _ text: String) -> DBusMessage {
        var message = answer([.string(text)])
        (message.kind, message.errorName) = (.error, name)
        return message
    }

    private mutating func setBody(_ values: [DBusValue]) {
        var writer = DBusWriter()
        for value in values { writer.write(value) }
        signature = values.map(\.typeSignature).joined()
        bodyBytes = writer.bytes
        isBigEndian = false
    }

    /// Reads the arguments. Throws if they are malformed, or too many.
    package func arguments() throws(DBusFault) -> [DBusValue] {
        var reader = DBusReader(bodyBytes[...], isBigEndian: isBigEndian)
        let values = try reader.values(signature)
        guard reader.rest == 0 else { throw .malformed }
        return values
    }

    // MARK: Bytes

    /// Returns the message as bytes.
    package func encoded() -> [UInt8] {
        var fields: [DBusValue] = []
        func add(_ code: UInt8, _ value: DBusValue?) {
            if let value { fields.append(.structure([.byte(code), .variant(value)])) }
        }
        add(1, path.map { .path($0) })
        add(2, interface.map { .string($0) })
        add(3, member.map { .string($0) })
        add(4, errorName.map { .string($0) })
        add(5, replySerial.map { .uint32($0) })
        add(6, destination.map { .string($0) })
        add(7, sender.map { .string($0) })
        add(8, signature.isEmpty ? nil : .signature(signature))
        add(9, descriptorCount == 0 ? nil : .uint32(UInt32(descriptorCount)))
        var writer = DBusWriter()
        let flags: UInt8 = (isOneWay ? 1 : 0) | (startsNobody ? 2 : 0)
        for byte in [UInt8(ascii: "l"), kind.rawValue, flags, 1] { writer.write(.byte(byte)) }
        writer.write(.uint32(UInt32(bodyBytes.count)))
        writer.write(.uint32(serial))
        writer.write(.array("(yv)", fields))
        writer.pad(to: 8)
        return writer.bytes + bodyBytes
    }

    /// The bytes of a message's head that tell its size.
    static let headSize = 16

    /// Returns the size of a message from its first `headSize` bytes.
    static func size(_ head: ArraySlice<UInt8>) throws(DBusFault) -> Int {
        let isBigEndian = try isBigEndian(head)
        var reader = DBusReader(head.dropFirst(4), isBigEndian: isBigEndian)
        let numbers = try reader.values("uuu").compactMap(\.number)
        guard numbers.count == 3 else { throw .malformed }
        let (body, fields) = (numbers[0], numbers[2])
        guard body <= mostBytes, fields <= mostBytes else { throw .tooLarge }
        let size = (headSize + fields + 7) / 8 * 8 + body
        guard size <= mostBytes else { throw .tooLarge }
        return size
    }

    private static func isBigEndian(_ head: ArraySlice<UInt8>) throws(DBusFault) -> Bool {
        guard head.count >= headSize else { throw .truncated }
        let order = head[head.startIndex]
        guard order == UInt8(ascii: "l") || order == UInt8(ascii: "B"), head[head.startIndex + 3] == 1 else {
            throw .malformed
        }
        return order == UInt8(ascii: "B")
    }

    /// Reads a message of the size that `size` told; `nil` for one of a kind that does not exist yet, which is ignored.
    init?(_ bytes: ArraySlice<UInt8>) throws(DBusFault) {
        isBigEndian = try Self.isBigEndian(bytes)
        let first = bytes.startIndex
        guard bytes[first + 1] != 0 else { throw .malformed }
        guard let kind = Kind(rawValue: bytes[first + 1]) else { return nil }
        self.kind = kind
        isOneWay = bytes[first + 2] & 1 != 0
        startsNobody = bytes[first + 2] & 2 != 0
        var reader = DBusReader(bytes, isBigEndian: isBigEndian)
        let head = try reader.values("yyyyuua(yv)")
        try reader.align(to: 8)
        guard head.count == 7, let serial = head[5].number, head[4].number == reader.rest, serial != 0 else {
            throw .malformed
        }
        self.serial = UInt32(serial)
        bodyBytes = Array(bytes.suffix(reader.rest))
        for field in head[6].elements {
            let parts = field.elements
            guard parts.count == 2, let code = parts[0].number else { throw .malformed }
            switch (code, parts[1].unwrapped) {
            case (1, .path(let value)): path = value
            case (2, .string(let value)): interface = value
            case (3, .string(let value)): member = value
            case (4, .string(let value)): errorName = value
            case (5, .uint32(let value)): replySerial = value
            case (6, .string(let value)): destination = value
            case (7, .string(let value)): sender = value
            case (8, .signature(let value)): signature = value
            case (9, .uint32(let value)): descriptorCount = Int(value)
            case (1...9, _): throw .malformed
            default: break
            }
        }
    }
}
