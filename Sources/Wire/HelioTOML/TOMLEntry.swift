/// A key of a document with its value, and their place.
package struct TOMLEntry: Hashable, Sendable {
    /// The name of the table; empty above the first table.
    package let table: String
    package let key: String
    package let value: TOMLValue
    /// The line of the key, from 1.
    package let line: Int
    /// The bytes of the value.
    let valueRange: Range<Int>
    /// The bytes of all lines of the entry, with the last one's end of line.
    let lines: Range<Int>
}

/// A table of a document: a header, and the entries up to the next header.
struct TOMLTable: Hashable, Sendable {
    let name: String
    let line: Int
    /// The offset of the header's line.
    let header: Int
    /// The offset after the header's line.
    let start: Int
    /// The offset of the next header's line, or the end of the document.
    var end: Int
}
