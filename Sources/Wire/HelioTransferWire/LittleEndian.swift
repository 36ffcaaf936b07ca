import HelioCore

// Messages of the transfer channel are little-endian. These functions read a field and advance the offset; Core's reads
// check the length.

extension RawSpan {
    func take8(_ offset: inout Int) throws(TransferWireError) -> UInt8 {
        guard let value = uint8(at: offset) else { throw .truncated }
        offset += 1
        return value
    }

    func take32(_ offset: inout Int) throws(TransferWireError) -> UInt32 {
        guard let value = uint32(at: offset) else { throw .truncated }
        offset += 4
        return value.byteSwapped
    }

    func take64(_ offset: inout Int) throws(TransferWireError) -> UInt64 {
        guard let value = uint64(at: offset) else { throw .truncated }
        offset += 8
        return value.byteSwapped
    }

    func take(_ count: Int, _ offset: inout Int) throws(TransferWireError) -> [UInt8] {
        guard let bytes = bytes(at: offset, count: count) else { throw .truncated }
        offset += count
        return bytes
    }

    /// Reads one byte, 0 or 1.
    func takeFlag(_ offset: inout Int) throws(TransferWireError) -> Bool {
        let value = try take8(&offset)
        guard value <= 1 else { throw .badValue }
        return value == 1
    }

    /// Reads the remaining bytes.
    func takeRest(_ offset: inout Int) throws(TransferWireError) -> [UInt8] {
        guard let rest = bytes(at: offset, count: byteCount - offset) else { throw .truncated }
        offset = byteCount
        return rest
    }
}
