package import HelioCore

/// A permission that the person gives in the system's settings.
package enum PermissionKind: Sendable, Hashable, CaseIterable {
    /// Permission to capture the screen.
    case screenRecording
    /// Permission to move the pointer and to type.
    case accessibility

    /// The refusal in words for people: what is missing, and what to do.
    package var refusal: HelioError {
        switch self {
        case .screenRecording:
            HelioError(
                .captureFailed,
                "This Mac does not let Heliograph see its screen. Open System Settings, Privacy & Security, Screen & "
                    + "System Audio Recording, switch Heliograph on there, then start it again.")
        case .accessibility:
            HelioError(
                .unsupported,
                "This Mac does not let Heliograph move its pointer or type. Open System Settings, Privacy & Security, "
                    + "Accessibility, and switch Heliograph on there; until then others can only watch.")
        }
    }
}
