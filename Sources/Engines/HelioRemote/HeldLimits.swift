/// How long a host believes a viewer of which it hears nothing that what is down still is.
package enum HeldLimits {
    /// The silence after which held keys are no longer repeated. They stay down: the viewer may have them still, and a
    /// key that is released and pressed again would type once more.
    package static let repeatTime = Duration.milliseconds(400)
    /// The silence after which all that is down is released.
    package static let releaseTime = Duration.seconds(2)
}
