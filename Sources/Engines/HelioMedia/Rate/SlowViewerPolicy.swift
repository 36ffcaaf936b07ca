/// What becomes of viewers whose paths carry far less than those of others who watch the same.
package enum SlowViewerPolicy: Sendable, Hashable, CaseIterable {
    /// The one encode keeps to what the slowest path carries.
    case slowestDecides
    /// They are sent an encode of their own.
    case secondEncode
    /// They are sent a picture now and then, and the others pay nothing.
    case refresh
    /// The slowest path decides; viewers that carry less than a quarter of the best are sent a picture now and then.
    /// For encoders of an app's own.
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
