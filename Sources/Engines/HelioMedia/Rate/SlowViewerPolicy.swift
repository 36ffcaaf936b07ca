/// The handling of viewers whose paths carry far less than those of others who watch the same source.
package enum SlowViewerPolicy: Sendable, Hashable, CaseIterable {
    /// The one encode is limited to the slowest path.
    case slowestDecides
    /// Slow viewers get an encode of their own.
    case secondEncode
    /// Slow viewers get a picture now and then, and the others are not limited.
    case refresh
    /// The slowest path decides, except that viewers below a quarter of the best get a picture now and then. For
    /// encoders of an app's own.
    case refreshFarSlower

    /// The share of the best viewer's estimate below which a viewer is slow; `nil`: none is.
    var share: Double? {
        switch self {
        case .slowestDecides: nil
        case .secondEncode, .refresh: 0.5
        case .refreshFarSlower: 0.25
        }
    }
}
