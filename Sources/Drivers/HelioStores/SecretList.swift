internal import HelioCore

#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// A short list of records with secrets, stored as JSON in a `SecretStorage`.
///
/// Damaged contents are an error, never an empty list, so that no pairing is lost or wrongly admitted.
struct SecretList<Record: Codable>: Sendable {
    private struct Contents: Codable {
        var version: Int
        var entries: [Record]
    }

    private static var version: Int { 1 }

    let storage: any SecretStorage
    /// The maximum number of entries of the list.
    let limit: Int
    /// The advice for the user if the contents are damaged.
    let advice: String

    /// Returns the contents' fingerprint; `nil` if there are no contents.
    func fingerprint() -> FileFingerprint? { storage.fingerprint() }

    /// Reads all records; none if there are no contents. Throws `systemFailed` if the contents can't be read or are
    /// damaged.
    func load() throws(HelioError) -> [Record] { try records(try storage.read()) }

    /// Converts records to entries. Throws `systemFailed` if a record is invalid.
    func decode<Entry>(_ records: [Record], _ entry: (Record) -> Entry?) throws(HelioError) -> [Entry] {
        var entries: [Entry] = []
        for record in records {
            guard let entry = entry(record) else { throw failure("is damaged: an entry makes no sense") }
            entries.append(entry)
        }
        return entries
    }

    /// Reads, changes and writes the list atomically with respect to other programs.
    func change(_ body: (inout [Record]) throws(HelioError) -> Void) throws(HelioError) {
        try storage.change { bytes throws(HelioError) in
            var records = try records(bytes)
            try body(&records)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            guard let data = try? encoder.encode(Contents(version: Self.version, entries: records)) else {
                throw failure("can't be written: make its folder writable")
            }
            return [UInt8](data) + [UInt8(ascii: "\n")]
        }
    }

    private func records(_ bytes: [UInt8]?) throws(HelioError) -> [Record] {
        guard let bytes else { return [] }
        guard let contents = try? JSONDecoder().decode(Contents.self, from: Data(bytes)) else {
            throw failure("is damaged")
        }
        guard contents.version == Self.version else {
            throw failure("was written by another version of Heliograph")
        }
        guard contents.entries.count <= limit else { throw failure("has more than \(limit) entries") }
        return contents.entries
    }

    private func failure(_ what: String) -> HelioError {
        HelioError(.systemFailed, "\(storage.place) \(what). \(advice)")
    }
}
