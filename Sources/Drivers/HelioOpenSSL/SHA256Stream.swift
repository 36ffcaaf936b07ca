import HelioProtection

/// SHA-256 of what comes piece by piece.
package struct SHA256Stream: IncrementalHash {
    private var state = SHA256Digest()

    package init() {}

    package mutating func update(_ bytes: RawSpan) { state.update(bytes) }

    package func digest() -> [UInt8] {
        let copy = state
        return copy.finish().bytes
    }
}
