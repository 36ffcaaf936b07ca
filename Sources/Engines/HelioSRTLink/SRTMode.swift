/// Who connects to whom.
package enum SRTMode: String, Sendable, Hashable, CaseIterable {
    /// We connect.
    case caller
    /// We wait for whoever connects, one at a time.
    case listener
}
