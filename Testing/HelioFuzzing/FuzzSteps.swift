/// Reads a fuzzer's bytes as steps: a byte that says what happens, one that says how much, and behind some of them so
/// many bytes of a message.
struct FuzzSteps {
    private let bytes: [UInt8]
    private var offset: Int

    /// - Parameter start: the place of the first step; what is before it says something else.
    init(_ bytes: [UInt8], from start: Int = 0) {
        self.bytes = bytes
        offset = start
    }

    /// Takes the two bytes of the next step; `nil` where they are not both there any more.
    mutating func next() -> (what: UInt8, argument: Int)? {
        guard offset + 1 < bytes.count else { return nil }
        defer { offset += 2 }
        return (bytes[offset], Int(bytes[offset + 1]))
    }

    /// Takes the bytes behind a step, or as many as there are of them.
    mutating func takeBytes(_ count: Int) -> [UInt8] {
        let start = offset
        offset = min(bytes.count, start + count)
        return Array(bytes[start..<offset])
    }
}
