/// Splits the bytes that arrive from a bus into messages.
package struct DBusInput {
    private var bytes: [UInt8] = []
    private var start = 0

    package init() {}

    package mutating func append(_ new: some Sequence<UInt8>) {
        if start > 0 {
            bytes.removeSubrange(..<start)
            start = 0
        }
        bytes.append(contentsOf: new)
    }

    /// Returns the next whole message; `nil` if more bytes are needed. Throws if the bytes are no messages: the
    /// connection can't go on, as nobody knows where the next one begins.
    package mutating func next() throws(DBusFault) -> DBusMessage? {
        while bytes.count - start >= DBusMessage.headSize {
            let size = try DBusMessage.size(bytes[start..<start + DBusMessage.headSize])
            guard bytes.count - start >= size else { return nil }
            defer { start += size }
            if let message = try DBusMessage(bytes[start..<start + size]) { return message }
        }
        return nil
    }
}
