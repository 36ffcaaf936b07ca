import HelioProtection

/// An incremental SHA-256, computed by OpenSSL. `digest` finishes a copy, so more bytes may follow.
package struct SHA256Stream: IncrementalHash {
    private var state = SHA256Digest()

    package init() {}

    package mutating func update(_ bytes: RawSpan) { state.update(bytes) }

    package func digest() -> [UInt8] {
        let copy = state
        return copy.finish().bytes
    }
}
