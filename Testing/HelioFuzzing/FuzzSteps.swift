/// Reads a fuzzer's bytes as steps: a byte that selects the action, a byte with an amount, and for some actions that
/// many bytes of a message.
struct FuzzSteps {
    private let bytes: [UInt8]
    private var offset: Int

    /// - Parameter start: the offset of the first step.
    init(_ bytes: [UInt8], from start: Int = 0) {
        self.bytes = bytes
        offset = start
    }

    /// Reads the two bytes of the next step; `nil` if fewer are left.
    mutating func next() -> (what: UInt8, argument: Int)? {
        guard offset + 1 < bytes.count else { return nil }
        defer { offset += 2 }
        return (bytes[offset], Int(bytes[offset + 1]))
    }

    /// Reads the next `count` bytes, or all that are left if there are fewer.
    mutating func takeBytes(_ count: Int) -> [UInt8] {
        let start = offset
        offset = min(bytes.count, start + count)
        return Array(bytes[start..<offset])
    }
}
