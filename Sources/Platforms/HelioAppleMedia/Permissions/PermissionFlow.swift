package import HelioCore

/// The way to a permission: the person is asked for it once, told what a refusal means, and heard when they grant it
/// later.
package struct PermissionFlow: Sendable {
    package enum State: Sendable, Hashable {
        /// Nobody has looked yet.
        case unknown
        case granted
        /// The person was asked: the answer is not there, or was no.
        case missing
    }

    /// What has happened at a look.
    package enum Change: Sendable, Hashable {
        case granted
        /// It was there, and was taken back.
        case revoked
        /// It is not there, and the person has just been asked.
        case asked
    }

    /// How often to look while it is missing.
    package static let interval: Duration = .seconds(1)

    package let kind: PermissionKind
    package private(set) var state = State.unknown
    private var hasAsked = false
    private var lookAt: Instant?

    package init(_ kind: PermissionKind) { self.kind = kind }

    /// The explanation for the person while it is missing.
    package var refusal: HelioError? { state == .missing ? kind.refusal : nil }
    /// The next time to look by itself; `nil` while it is there.
    package var deadline: Instant? { state == .granted ? nil : lookAt }

    /// Looks at the permission, and asks for it if nobody has yet.
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

    /// Looks, and throws the refusal if it isn't there.
    package mutating func need(_ system: some PermissionAsking, now: Instant) throws(HelioError) {
        _ = look(system, now: now)
        if let refusal { throw refusal }
    }
}
