extension [UInt8] {
    /// Appends the bytes of `span` in `range`, in one copy. The caller ensures that they exist.
    package mutating func append(_ span: RawSpan, _ range: Range<Int>) {
        span.withUnsafeBytes { append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}
