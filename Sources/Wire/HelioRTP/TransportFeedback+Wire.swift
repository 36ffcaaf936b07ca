import HelioCore

extension TransportFeedback {
    private enum Status {
        static let lost: UInt16 = 0
        static let small: UInt16 = 1
        static let large: UInt16 = 2

        static func of(_ delta: Int16?) -> UInt16 {
            guard let delta else { return lost }
            return (0...255).contains(delta) ? small : large
        }
    }

    private static let longestRun = 0x1FFF
    private static let shortChunk = 14
    private static let longChunk = 7

    /// Reads the packet's body, without the RTCP header; `nil` if it is malformed or reports more than
    /// `maximumPackets`.
    static func parse(_ body: RawSpan) -> Self? {
        guard
            let sender = body.uint32(at: 0), let media = body.uint32(at: 4), let base = body.uint16(at: 8),
            let total = body.uint16(at: 10), let reference = body.uint24(at: 12), let count = body.uint8(at: 15),
            total > 0, Int(total) <= maximumPackets
        else { return nil }
        var offset = 16
        guard let statuses = parseChunks(body, at: &offset, total: Int(total)) else { return nil }
        var deltas: [Int16?] = []
        deltas.reserveCapacity(statuses.count)
        for status in statuses {
            switch status {
            case Status.lost: deltas.append(nil)
            case Status.small:
                guard let delta = body.uint8(at: offset) else { return nil }
                deltas.append(Int16(delta))
                offset += 1
            case Status.large:
                guard let delta = body.uint16(at: offset) else { return nil }
                deltas.append(Int16(bitPattern: delta))
                offset += 2
            default: return nil
            }
        }
        // Up to 3 bytes of padding are accepted here, in addition to RTCP's own padding.
        guard body.byteCount - offset < 4 else { return nil }
        return Self(
            sender: SSRC(sender), media: SSRC(media), base: base,
            referenceTime: Int32(bitPattern: reference << 8) >> 8, count: count, deltas: deltas)
    }

    private static func parseChunks(_ body: RawSpan, at offset: inout Int, total: Int) -> [UInt16]? {
        var statuses: [UInt16] = []
        statuses.reserveCapacity(total)
        while statuses.count < total {
            guard let chunk = body.uint16(at: offset) else { return nil }
            offset += 2
            let left = total - statuses.count
            if chunk & 0x8000 == 0 {
                let run = Int(chunk) & longestRun
                // A run of length 0 has no meaning, and a run beyond the total is invalid.
                guard (1...left).contains(run) else { return nil }
                statuses.append(contentsOf: repeatElement(chunk >> 13 & 3, count: run))
            } else if chunk & 0x4000 == 0 {
                for i in 0..<min(left, shortChunk) { statuses.append(chunk >> UInt16(shortChunk - 1 - i) & 1) }
            } else {
                for i in 0..<min(left, longChunk) { statuses.append(chunk >> UInt16(2 * (longChunk - 1 - i)) & 3) }
            }
        }
        return statuses
    }

    /// Appends the packet's body, without the RTCP header, padded to a multiple of 4 bytes.
    func write(into datagram: inout [UInt8]) {
        precondition((1...Self.maximumPackets).contains(deltas.count), "no such number of packets in a feedback")
        let start = datagram.count
        datagram.append(bigEndian: sender.rawValue)
        datagram.append(bigEndian: media.rawValue)
        datagram.append(bigEndian: base)
        datagram.append(bigEndian: UInt16(deltas.count))
        datagram.append(bigEndian: UInt32(bitPattern: referenceTime) << 8 | UInt32(count))
        writeChunks(into: &datagram)
        for case .some(let delta) in deltas {
            if Status.of(delta) == Status.small {
                datagram.append(UInt8(truncatingIfNeeded: delta))
            } else {
                datagram.append(bigEndian: UInt16(bitPattern: delta))
            }
        }
        while (datagram.count - start) % 4 != 0 { datagram.append(0) }
    }

    /// Appends the packet chunks. A run-length chunk is used if it covers at least as many statuses as a status vector
    /// would; otherwise a vector of 14 one-bit statuses, or of 7 two-bit statuses if a `large` one is among the 14.
    private func writeChunks(into datagram: inout [UInt8]) {
        let statuses = deltas.map(Status.of)
        var index = 0
        while index < statuses.count {
            let rest = statuses[index...]
            let run = min(rest.prefix { $0 == rest.first }.count, Self.longestRun)
            let near = rest.prefix(Self.shortChunk)
            let isShort = near.allSatisfy { $0 != Status.large }
            let length = min(isShort ? Self.shortChunk : Self.longChunk, rest.count)
            if run >= length {
                datagram.append(bigEndian: statuses[index] << 13 | UInt16(run))
                index += run
                continue
            }
            var chunk: UInt16 = isShort ? 0x8000 : 0xC000
            for (place, status) in rest.prefix(length).enumerated() {
                chunk |= isShort ? status << UInt16(13 - place) : status << UInt16(12 - 2 * place)
            }
            datagram.append(bigEndian: chunk)
            index += length
        }
    }
}
