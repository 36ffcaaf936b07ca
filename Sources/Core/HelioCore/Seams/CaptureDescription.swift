/// A way to capture a screen, and whether it can be used in this session.
package struct CaptureDescription: Sendable, Hashable {
    /// The way's name: 'x11', 'wlr'.
    package var name: String
    package var isUsable: Bool
    /// The captured screen if the way is usable, otherwise the reason why it is not; a human-readable phrase without a
    /// full stop.
    package var reason: String

    package init(name: String, isUsable: Bool, reason: String) {
        self.name = name
        self.isUsable = isUsable
        self.reason = reason
    }
}
