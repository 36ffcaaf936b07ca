import HelioCore
import HelioProtection

/// Fuzzes the parser of DTLS records. Checks that records are contiguous in a datagram, and that their fields match the
/// bytes.
package enum DTLSRecordFuzz {
    package static func run(_ bytes: [UInt8]) {
        let datagram = bytes.span.bytes
        var offset = 0
        while offset < bytes.count, let record = try? DTLSRecord(in: datagram, at: offset) {
            precondition(record.range.lowerBound == offset && record.range.upperBound <= bytes.count)
            precondition(record.fragment.lowerBound == offset + DTLSRecord.headerLength && !record.fragment.isEmpty)
            precondition(header(of: record) == Array(bytes[offset..<record.fragment.lowerBound]))
            let shortest = DTLSRecord.gcmOverhead
            let early = record.refusal(in: datagram, isConnected: false, shortestProtected: shortest)
            let late = record.refusal(in: datagram, isConnected: true, shortestProtected: shortest)
            let maySeeKeys = record.epoch == 1 && record.fragment.count >= shortest
            precondition((early == .wrongEpoch) == (record.epoch > 1) && (late == nil) == maySeeKeys)
            offset = record.range.upperBound
        }
    }

    private static func header(of record: DTLSRecord) -> [UInt8] {
        var header = [record.type.rawValue]
        header.append(bigEndian: record.version)
        header.append(bigEndian: UInt64(record.epoch) << 48 | record.sequence)
        header.append(bigEndian: UInt16(record.fragment.count))
        return header
    }
}
