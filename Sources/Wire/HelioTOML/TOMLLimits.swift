/// The limits of a document, which keep memory and time small whatever a file contains.
package struct TOMLLimits: Sendable {
    package var bytes: Int
    /// The most entries and tables, together.
    package var entries: Int
    /// The most values of an array.
    package var items: Int

    package init(bytes: Int = 256 << 10, entries: Int = 2000, items: Int = 256) {
        self.bytes = bytes
        self.entries = entries
        self.items = items
    }
}
