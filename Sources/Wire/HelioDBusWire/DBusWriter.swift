/// Writes values in little-endian order (D-Bus Specification, "Marshaling").
struct DBusWriter {
    private(set) var bytes: [UInt8] = []

    mutating func pad(to alignment: Int) {
        while bytes.count % alignment != 0 { bytes.append(0) }
    }

    mutating func write(_ value: DBusValue) {
        switch value {
        case .byte(let value): bytes.append(value)
        case .bool(let value): integer(UInt32(value ? 1 : 0))
        case .int16(let value): integer(UInt16(bitPattern: value))
        case .uint16(let value): integer(value)
        case .int32(let value): integer(UInt32(bitPattern: value))
        case .uint32(let value), .descriptor(let value): integer(value)
        case .int64(let value): integer(UInt64(bitPattern: value))
        case .uint64(let value): integer(value)
        case .double(let value): integer(value.bitPattern)
        case .string(let text), .path(let text):
            // A zero byte would end the text at the reader's.
            let utf8 = text.utf8.filter { $0 != 0 }
            integer(UInt32(utf8.count))
            bytes += utf8
            bytes.append(0)
        case .signature(let text): signature(text)
        case .array(let element, let values): array(element, values)
        case .structure(let fields):
            pad(to: 8)
            for field in fields { write(field) }
        case .entry(let key, let value):
            pad(to: 8)
            write(key)
            write(value)
        case .variant(let value):
            signature(value.typeSignature)
            write(value)
        }
    }

    private mutating func array(_ element: String, _ values: [DBusValue]) {
        integer(UInt32(0))
        let place = bytes.count - 4
        pad(to: DBusSignature.alignment(of: element))
        // The padding before the first element is not counted.
        let start = bytes.count
        for value in values { write(value) }
        set(UInt32(bytes.count - start), at: place)
    }

    private mutating func signature(_ text: String) {
        bytes.append(UInt8(clamping: text.utf8.count))
        bytes += text.utf8
        bytes.append(0)
    }

    private mutating func integer<Value: FixedWidthInteger>(_ value: Value) {
        pad(to: Value.bitWidth / 8)
        for shift in stride(from: 0, to: Value.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    mutating func set(_ value: UInt32, at place: Int) {
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (index * 8)) }
    }
}
