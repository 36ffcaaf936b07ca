/// Reads a fuzzer's bytes as steps: a byte that selects the action, one with an amount, and after some of them as many
/// bytes of a message.
struct FuzzSteps {
    private let bytes: [UInt8]
    private var offset: Int

    /// - Parameter start: the offset of the first step; the bytes before it have another meaning.
    init(_ bytes: [UInt8], from start: Int = 0) {
        self.bytes = bytes
        offset = start
    }

    /// Takes the two bytes of the next step; `nil` if fewer are left.
    mutating func next() -> (what: UInt8, argument: Int)? {
        guard offset + 1 < bytes.count else { return nil }
        defer { offset += 2 }
        return (bytes[offset], Int(bytes[offset + 1]))
    }

    /// Takes the bytes after a step, or as many as are left.
    mutating func takeBytes(_ count: Int) -> [UInt8] {
        let start = offset
        offset = min(bytes.count, start + count)
        return Array(bytes[start..<offset])
    }
}
