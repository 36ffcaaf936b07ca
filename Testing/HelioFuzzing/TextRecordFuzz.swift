import HelioCore
import HelioMDNS

/// Fuzzes the parser of a service's TXT record, and of a host's description in it. Parsed values must survive a round
/// trip.
package enum TextRecordFuzz {
    package static func run(_ bytes: [UInt8]) {
        guard let record = TextRecord(parsing: bytes.span.bytes) else { return }
        precondition(record.count <= TextRecord.maximumPairs, "more than is kept")
        let written = record.serialised()
        precondition(!written.isEmpty && written.count <= max(1, bytes.count), "a record grew on its way")
        precondition(TextRecord(parsing: written.span.bytes) == record, "a record changed on its way")

        var malformed = 0
        guard let host = HostDescription(record, malformed: &malformed) else { return }
        precondition((0...4).contains(malformed), "more faults than fields")
        precondition(host.fingerprint.map { $0.count == HostDescription.fingerprintSize } ?? true)
        var again = 0
        let told = host.record.serialised()
        guard let back = TextRecord(parsing: told.span.bytes) else { preconditionFailure("an own record is not read") }
        precondition(HostDescription(back, malformed: &again) == host && again == 0, "a host changed on its way")
    }
}
