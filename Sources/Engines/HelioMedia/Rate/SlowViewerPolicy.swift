/// The handling of viewers whose paths carry far less than those of others who watch the same source.
package enum SlowViewerPolicy: Sendable, Hashable, CaseIterable {
    /// All viewers share one encoding, limited to the slowest path.
    case slowestDecides
    /// Slow viewers get an encoding of their own.
    case secondEncode
    /// Slow viewers get only occasional pictures, and do not limit the other viewers.
    case refresh
    /// The slowest path decides, except that viewers below a quarter of the best path's rate get only occasional
    /// pictures. For encoders that an app provides.
    case refreshFarSlower

    /// The share of the best viewer's estimate below which a viewer is slow; `nil`: no viewer counts as slow.
    var share: Double? {
        switch self {
        case .slowestDecides: nil
        case .secondEncode, .refresh: 0.5
        case .refreshFarSlower: 0.25
        }
    }
}
