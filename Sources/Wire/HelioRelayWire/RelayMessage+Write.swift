import HelioCore

extension RelayMessage {
    /// Serialises the message with its header.
    package func serialised() -> [UInt8] {
        var bytes: [UInt8] = []
        write(into: &bytes)
        return bytes
    }

    /// Appends the message with its header.
    package func write(into bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(Self.prefix)
        bytes.append(bigEndian: UInt32(0))
        switch self {
        // The first byte of a NAL unit's start code is also the kind.
        case .nalUnit(let unit): bytes.append(contentsOf: unit)
        case .hello(let version), .welcome(let version): bytes += [kind.rawValue, version]
        case .format(let format):
            bytes.append(kind.rawValue)
            format.write(into: &bytes)
        case .pictureBegins(let captured, let isKeyframe):
            bytes += [kind.rawValue, isKeyframe ? 1 : 0]
            bytes.append(bigEndian: UInt64(bitPattern: captured.nanoseconds))
        case .sound(let sound):
            bytes.append(kind.rawValue)
            sound.write(into: &bytes)
        case .wish(let wish):
            bytes.append(kind.rawValue)
            wish.write(into: &bytes)
        case .end(let reason): bytes += [kind.rawValue, reason.rawValue]
        case .pictureEnds, .keyframeRequest, .heartbeat: bytes.append(kind.rawValue)
        }
        bytes.set(bigEndian: UInt32(bytes.count - start - Self.headerSize), at: start + 1)
    }

    /// Appends a `nalUnit` message without an intermediate copy of the NAL unit.
    ///
    /// - Parameter range: the NAL unit within `source`, without its start code. The caller ensures that it exists.
    package static func write(nalUnit range: Range<Int>, of source: RawSpan, into bytes: inout [UInt8]) {
        bytes.append(prefix)
        bytes.append(bigEndian: UInt32(range.count + 4))
        bytes.append(bigEndian: UInt32(1))
        source.withUnsafeBytes { bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}
