import HelioCore

/// An INIT or INIT-ACK chunk (RFC 9260 sections 3.3.2 and 3.3.3) with one end's parameters.
///
/// ```
/// |                         initiate tag                          |
/// |           advertised receiver window credit (a_rwnd)          |
/// |  number of outbound streams   |   number of inbound streams   |
/// |                          initial TSN                          |
/// |                          parameters                           |
/// ```
package struct InitiationChunk: Sendable, Hashable {
    private enum Parameter {
        static let cookie: UInt16 = 7
        static let unrecognized: UInt16 = 8
        /// Zero Checksum Acceptable (RFC 9653).
        static let zeroChecksum: UInt16 = 0x8001
        /// Supported Extensions (RFC 5061).
        static let extensions: UInt16 = 0x8008
        /// Forward-TSN-Supported (RFC 3758).
        static let forwardTSN: UInt16 = 0xC000
        /// Known parameters without a use over DTLS: IPv4 and IPv6 addresses, Cookie Preservative, Host Name Address,
        /// Supported Address Types, ECN, authentication, adaptation layer.
        static let ignored: Set<UInt16> = [5, 6, 9, 11, 12, 0x8000, 0x8002, 0x8003, 0x8004, 0xC006]
    }

    /// The error detection method identifier of SCTP over DTLS (RFC 9653 section 7).
    private static let checkedByDTLS: UInt32 = 1
    /// The maximum number of bytes of unknown parameters that are returned, to limit amplification.
    private static let reportLimit = 512

    package var tag: UInt32
    package var window: UInt32
    package var outboundStreams: UInt16
    package var inboundStreams: UInt16
    package var initialTSN: UInt32
    package var supportsForwardTSN = false
    package var supportsReconfiguration = false
    /// True if the chunk's sender accepts packets without a checksum.
    package var acceptsZeroChecksum = false
    /// The state cookie of an INIT-ACK, never empty; `nil` for an INIT.
    package var cookie: [UInt8]?
    /// The unknown parameters to return to the sender, each with its header and padding.
    package var unrecognized: [UInt8] = []

    package init(tag: UInt32, window: UInt32, outboundStreams: UInt16, inboundStreams: UInt16, initialTSN: UInt32) {
        self.tag = tag
        self.window = window
        self.outboundStreams = outboundStreams
        self.inboundStreams = inboundStreams
        self.initialTSN = initialTSN
    }

    /// Parses a chunk; `nil` if it is truncated, its tag is 0, or a number of streams is 0.
    package static func parse(_ item: ChunkReader.Item, in packet: RawSpan) -> Self? {
        let at = item.value.lowerBound
        guard item.value.count >= 16, let tag = packet.uint32(at: at), let window = packet.uint32(at: at + 4),
            let outbound = packet.uint16(at: at + 8), let inbound = packet.uint16(at: at + 10),
            let initialTSN = packet.uint32(at: at + 12), tag != 0, outbound != 0, inbound != 0
        else { return nil }
        var chunk = Self(
            tag: tag, window: window, outboundStreams: outbound, inboundStreams: inbound, initialTSN: initialTSN)
        var reader = ChunkReader(at + 16..<item.value.upperBound)
        while let parameter = reader.next(in: packet) {
            guard chunk.take(parameter, in: packet) else { break }
        }
        return reader.isBroken ? nil : chunk
    }

    /// Handles a parameter. Returns false if the parameters after it must not be processed.
    private mutating func take(_ parameter: ChunkReader.Item, in packet: RawSpan) -> Bool {
        let at = parameter.value.lowerBound
        switch parameter.head {
        case Parameter.cookie:
            cookie = parameter.value.isEmpty ? nil : packet.bytes(at: at, count: parameter.value.count)
        case Parameter.forwardTSN: supportsForwardTSN = true
        case Parameter.zeroChecksum:
            acceptsZeroChecksum = parameter.value.count == 4 && packet.uint32(at: at) == Self.checkedByDTLS
        case Parameter.extensions:
            for offset in parameter.value {
                let type = packet.uint8(at: offset).map(ChunkType.init)
                if type == .forwardTSN { supportsForwardTSN = true }
                if type == .reconfiguration { supportsReconfiguration = true }
            }
        // The peer returns the parameters that it does not support. Ignore them, as all such parameters that this end
        // sends are optional.
        case Parameter.unrecognized: break
        case let head where Parameter.ignored.contains(head): break
        default:
            let whole = parameter.whole
            if parameter.head & 0x4000 != 0, unrecognized.count + whole.count + 3 <= Self.reportLimit {
                unrecognized += packet.bytes(at: whole.lowerBound, count: whole.count) ?? []
                unrecognized.padToWord()
            }
            return parameter.head & 0x8000 != 0
        }
        return true
    }

    /// Appends the chunk with the type `type` and padding.
    package func write(as type: ChunkType, into bytes: inout [UInt8]) {
        bytes.appendChunk(type) { bytes in
            bytes.append(bigEndian: tag)
            bytes.append(bigEndian: window)
            bytes.append(bigEndian: outboundStreams)
            bytes.append(bigEndian: inboundStreams)
            bytes.append(bigEndian: initialTSN)
            if let cookie { bytes.appendParameter(Parameter.cookie) { $0 += cookie } }
            var extensions: [UInt8] = []
            if supportsReconfiguration { extensions.append(ChunkType.reconfiguration.value) }
            if supportsForwardTSN {
                extensions.append(ChunkType.forwardTSN.value)
                bytes.appendParameter(Parameter.forwardTSN) { _ in }
            }
            if acceptsZeroChecksum {
                bytes.appendParameter(Parameter.zeroChecksum) { $0.append(bigEndian: Self.checkedByDTLS) }
            }
            if !unrecognized.isEmpty { bytes.appendParameter(Parameter.unrecognized) { $0 += unrecognized } }
            if !extensions.isEmpty { bytes.appendParameter(Parameter.extensions) { $0 += extensions } }
        }
    }
}
