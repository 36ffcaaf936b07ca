/// The times for which a host assumes that a silent viewer still holds its keys and buttons.
package enum HeldLimits {
    /// The silence after which held keys no longer auto-repeat. They stay down: the viewer may still hold them, and
    /// releasing and pressing a key again would type once more.
    package static let repeatTime = Duration.milliseconds(400)
    /// The silence after which everything held is released.
    package static let releaseTime = Duration.seconds(2)
}
