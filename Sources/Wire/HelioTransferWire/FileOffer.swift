import HelioCore

/// The summary of a batch, with which the receiver asks its user for consent. The files are sent one by one after the
/// offer was accepted.
///
/// ```
///  0           8           12           20       21
///  +-----------+-----------+------------+--------+-----------------+
///  | batch u64 | count u32 | bytes u64  | length | UTF-8, 1 to 255 |
///  +-----------+-----------+------------+--------+-----------------+
/// ```
/// `count`: the number of files and folders. `bytes`: the size of all files. The name is that of the first file, or of
/// the folder that contains it.
package struct FileOffer: Hashable, Sendable {
    package var batch: BatchID
    package var count: UInt32
    package var bytes: UInt64
    package var name: String

    /// - Precondition: `name` is valid, `bytes` is at most `FileEntry.mostBytes`, and there is at least one file or
    ///   folder.
    package init(_ batch: BatchID, count: UInt32, bytes: UInt64, name: String) {
        precondition(count > 0 && bytes <= FileEntry.mostBytes && FileEntry.isValid(name))
        self.batch = batch
        self.count = count
        self.bytes = bytes
        self.name = name
    }

    init(_ bytes: RawSpan, _ offset: inout TransferOffset) throws(TransferWireError) {
        batch = BatchID(try bytes.take64(&offset))
        count = try bytes.take32(&offset)
        self.bytes = try bytes.take64(&offset)
        guard count > 0, self.bytes <= FileEntry.mostBytes else { throw .badValue }
        name = try FileEntry.name(bytes, &offset)
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: batch.rawValue)
        bytes.append(littleEndian: count)
        bytes.append(littleEndian: self.bytes)
        bytes.append(name: name)
    }

    var wireSize: Int { 21 + name.utf8.count }
}
