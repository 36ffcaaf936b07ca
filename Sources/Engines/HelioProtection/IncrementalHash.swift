/// An incremental hash, implemented by a driver. It has value semantics: a copy continues independently.
package protocol IncrementalHash: Sendable {
    mutating func update(_ bytes: RawSpan)

    /// The hash of all bytes so far; `update` may be called again afterwards.
    func digest() -> [UInt8]
}
