package import HelioCore

/// The state machine of a permission: prompts the user once, provides an explanation if it is refused, and notices if
/// it is granted later.
package struct PermissionFlow: Sendable {
    package enum State: Sendable, Hashable {
        /// The permission has not been checked yet.
        case unknown
        case granted
        /// The user has refused, or has not answered the prompt yet.
        case missing
    }

    /// A change that a check has found.
    package enum Change: Sendable, Hashable {
        case granted
        /// The permission was revoked after it had been granted.
        case revoked
        /// The permission is missing, and the user has just been prompted.
        case asked
    }

    /// The interval between checks while the permission is missing.
    package static let interval: Duration = .seconds(1)

    package let kind: PermissionKind
    package private(set) var state = State.unknown
    private var hasAsked = false
    private var lookAt: Instant?

    package init(_ kind: PermissionKind) { self.kind = kind }

    /// The explanation for the user while the permission is missing; otherwise `nil`.
    package var refusal: HelioError? { state == .missing ? kind.refusal : nil }
    /// The time of the next check; `nil` while the permission is granted.
    package var deadline: Instant? { state == .granted ? nil : lookAt }

    /// Checks the permission, and prompts the user if it is missing and there was no prompt yet.
    package mutating func look(_ system: some PermissionAsking, now: Instant) -> Change? {
        lookAt = now + Self.interval
        let before = state
        if system.isGranted(kind) {
            state = .granted
            return before == .granted ? nil : .granted
        }
        state = .missing
        if before == .granted { return .revoked }
        if hasAsked { return nil }
        hasAsked = true
        system.ask(for: kind)
        return .asked
    }

    /// Checks the permission, and throws `refusal` if it is missing.
    package mutating func need(_ system: some PermissionAsking, now: Instant) throws(HelioError) {
        _ = look(system, now: now)
        if let refusal { throw refusal }
    }
}

/// A shim over the system's calls that check a permission and prompt the user for it.
package protocol PermissionAsking: AnyObject {
    func isGranted(_ kind: PermissionKind) -> Bool
    /// Makes the system prompt the user. Returns at once; `isGranted` returns the answer later.
    func ask(for kind: PermissionKind)
}

/// A permission that the user grants in the system's settings.
package enum PermissionKind: Sendable, Hashable, CaseIterable {
    /// Permission to capture the screen.
    case screenRecording
    /// Permission to move the pointer and to type.
    case accessibility

    /// The error for a missing permission, with instructions for the user.
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
