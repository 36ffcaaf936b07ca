// Checked reads and writes of wire formats. Every length from the wire is checked here: a read past the end returns
// `nil` and never traps.

extension RawSpan {
    package func uint8(at offset: Int) -> UInt8? {
        guard offset >= 0, offset < byteCount else { return nil }
        return unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    /// Reads two bytes, big-endian; `nil` if fewer follow.
    package func uint16(at offset: Int) -> UInt16? {
        guard offset >= 0, offset <= byteCount - 2 else { return nil }
        return UInt16(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    /// Reads three bytes, big-endian; `nil` if fewer follow.
    package func uint24(at offset: Int) -> UInt32? {
        guard let high = uint8(at: offset), let low = uint16(at: offset + 1) else { return nil }
        return UInt32(high) << 16 | UInt32(low)
    }

    /// Reads four bytes, big-endian; `nil` if fewer follow.
    package func uint32(at offset: Int) -> UInt32? {
        guard offset >= 0, offset <= byteCount - 4 else { return nil }
        return UInt32(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// Reads eight bytes, big-endian; `nil` if fewer follow.
    package func uint64(at offset: Int) -> UInt64? {
        guard offset >= 0, offset <= byteCount - 8 else { return nil }
        return UInt64(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// A copy of `count` bytes; `nil` if fewer follow.
    package func bytes(at offset: Int, count: Int) -> [UInt8]? {
        guard offset >= 0, count >= 0, offset <= byteCount - count else { return nil }
        // `Array.init` copies a rebased buffer as one block, but a slice of a buffer byte by byte.
        return withUnsafeBytes { [UInt8](UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count])) }
    }
}

extension [UInt8] {
    package mutating func append(bigEndian value: UInt16) {
        append(UInt8(truncatingIfNeeded: value >> 8))
        append(UInt8(truncatingIfNeeded: value))
    }

    package mutating func append(bigEndian value: UInt32) {
        append(bigEndian: UInt16(truncatingIfNeeded: value >> 16))
        append(bigEndian: UInt16(truncatingIfNeeded: value))
    }

    package mutating func append(bigEndian value: UInt64) {
        append(bigEndian: UInt32(truncatingIfNeeded: value >> 32))
        append(bigEndian: UInt32(truncatingIfNeeded: value))
    }

    package mutating func append(littleEndian value: UInt16) { append(bigEndian: value.byteSwapped) }

    package mutating func append(littleEndian value: UInt32) { append(bigEndian: value.byteSwapped) }

    package mutating func append(littleEndian value: UInt64) { append(bigEndian: value.byteSwapped) }

    /// Overwrites two bytes. The caller ensures that they exist.
    package mutating func set(bigEndian value: UInt16, at offset: Int) {
        self[offset] = UInt8(truncatingIfNeeded: value >> 8)
        self[offset + 1] = UInt8(truncatingIfNeeded: value)
    }

    /// Overwrites four bytes. The caller ensures that they exist.
    package mutating func set(bigEndian value: UInt32, at offset: Int) {
        set(bigEndian: UInt16(truncatingIfNeeded: value >> 16), at: offset)
        set(bigEndian: UInt16(truncatingIfNeeded: value), at: offset + 2)
    }
}
