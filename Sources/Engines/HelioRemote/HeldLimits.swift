/// The timeouts after which a host releases the input that a silent viewer holds.
package enum HeldLimits {
    /// The silence after which the host stops the auto-repeat of held keys. The keys stay down: the viewer may still
    /// hold them, and a release followed by another press would type the character again.
    package static let repeatTime = Duration.milliseconds(400)
    /// The silence after which everything held is released.
    package static let releaseTime = Duration.seconds(2)
}
