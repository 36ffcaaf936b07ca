/// A way to capture a screen, and whether it can be used in this session.
package struct CaptureDescription: Sendable, Hashable {
    /// The name of the way: 'x11', 'wlr'.
    package var name: String
    package var isUsable: Bool
    /// What is captured, or the reason why nothing can be; without a full stop.
    package var reason: String

    package init(name: String, isUsable: Bool, reason: String) {
        self.name = name
        self.isUsable = isUsable
        self.reason = reason
    }
}
