import HelioCore

/// A file or folder of a batch.
///
/// ```
///  0        1           9                 17      18
///  +--------+-----------+-----------------+-------+---------------------------+
///  | kind   | size u64  | modified u64    | count | `count` names, 1 to 32    |
///  +--------+-----------+-----------------+-------+--------+------------------+
///                                                 | length | UTF-8, 1 to 255  |
///                                                 +--------+------------------+
/// ```
/// `kind`: 0 file, 1 folder. `size`: in bytes, 0 for a folder. `modified`: in seconds since 1970, 0 if unknown. The
/// names are those of the enclosing folders and the entry's own, outermost first; at most 1024 bytes in all.
package struct FileEntry: Hashable, Sendable {
    /// The largest size on the wire: the largest integer up to which JavaScript's numbers are exact.
    package static let mostBytes: UInt64 = 1 << 53 - 1
    /// The maximum number of names in a path, and the maximum size of all its names together, in bytes of UTF-8.
    package static let mostNames = 32
    package static let mostPathBytes = 1024
    private static let latestModified: UInt64 = 1 << 40

    package var path: [String]
    package var isFolder: Bool
    package var size: UInt64
    package var modified: UInt64

    /// - Precondition: `isValid(path)`; a folder has no size.
    package init(path: [String], isFolder: Bool = false, size: UInt64 = 0, modified: UInt64 = 0) {
        precondition(Self.isValid(path) && (!isFolder || size == 0) && size <= Self.mostBytes)
        self.path = path
        self.isFolder = isFolder
        self.size = size
        self.modified = min(modified, Self.latestModified)
    }

    init(_ bytes: RawSpan, _ offset: inout TransferOffset) throws(TransferWireError) {
        isFolder = try bytes.takeFlag(&offset)
        size = try bytes.take64(&offset)
        modified = try bytes.take64(&offset)
        let count = try bytes.take8(&offset)
        guard size <= Self.mostBytes, !isFolder || size == 0, modified <= Self.latestModified else { throw .badValue }
        guard count <= Self.mostNames else { throw .badName }
        path = []
        for _ in 0..<count { path.append(try Self.name(bytes, &offset)) }
        guard Self.isValid(path) else { throw .badName }
    }

    /// Returns true for a path that can be sent.
    package static func isValid(_ path: [String]) -> Bool {
        (1...mostNames).contains(path.count) && path.allSatisfy(isValid)
            && path.reduce(0, { $0 + $1.utf8.count }) <= mostPathBytes
    }

    /// Returns true for a name that can be sent. The receiver's file system may still not support it.
    package static func isValid(_ name: String) -> Bool {
        (1...255).contains(name.utf8.count) && name != "." && name != ".."
            && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    }

    static func name(_ bytes: RawSpan, _ offset: inout TransferOffset) throws(TransferWireError) -> String {
        let length = Int(try bytes.take8(&offset))
        guard let name = String(validating: try bytes.take(length, &offset), as: UTF8.self), isValid(name) else {
            throw .badName
        }
        return name
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(isFolder ? 1 : 0)
        bytes.append(littleEndian: size)
        bytes.append(littleEndian: modified)
        bytes.append(UInt8(path.count))
        for name in path { bytes.append(name: name) }
    }

    var wireSize: Int { path.reduce(18) { $0 + 1 + $1.utf8.count } }
}

extension [UInt8] {
    mutating func append(name: String) {
        append(UInt8(name.utf8.count))
        self += Array(name.utf8)
    }
}
