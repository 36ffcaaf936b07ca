package import HelioProtection

/// The agreement of both ends on a cipher suite of the specification, with a human-readable reason. Host and viewer
/// each compute it from the two choices, with the same result.
///
/// | host | viewer | outcome |
/// | --- | --- | --- |
/// | no suite | no suite | off, without a reason |
/// | a suite on one side only, different suites, or scopes that don't overlap || off, with the reason |
/// | the same suite | the same suite | on, for the intersection of the scopes; keys are masked if both ends mask them |
///
/// Off means AES-GCM, which is no weaker: only a preference is lost, and a device of a fleet still works with a device
/// outside the fleet. If an end requires its suite, the session is refused instead of an agreement that is off or has a
/// smaller scope than that end's choice. Different keys always cause a refusal: see `SuiteHandshake`.
package enum SuiteAgreement: Sendable, Hashable {
    /// AES-GCM is used.
    ///
    /// - Parameter reason: the human-readable reason; `nil` if neither end chose a suite.
    case off(reason: String?)
    case on(ProtectionSuite, scope: SuiteScope, masksKeys: Bool)
    /// The session is refused, as one end requires a suite or scope that the other end does not agree to.
    case refused(reason: String)

    package init(host: SuiteChoice?, viewer: SuiteChoice?) {
        let isRequired = host?.isRequired ?? false || viewer?.isRequired ?? false
        func without(_ reason: String) -> SuiteAgreement {
            isRequired ? .refused(reason: reason) : .off(reason: reason)
        }
        switch (host, viewer) {
        case (nil, nil): self = .off(reason: nil)
        case (let host?, nil): self = without("the host chose \(host.suite.name) and the viewer no suite")
        case (nil, let viewer?): self = without("the viewer chose \(viewer.suite.name) and the host no suite")
        case (let host?, let viewer?):
            let scope = host.scope.intersection(viewer.scope)
            if host.suite != viewer.suite {
                self = without("the host chose \(host.suite.name) and the viewer \(viewer.suite.name)")
            } else if scope.isEmpty {
                self = without("the host chose it for \(host.scope.name) and the viewer for \(viewer.scope.name)")
            } else if (host.isRequired && scope != host.scope) || (viewer.isRequired && scope != viewer.scope) {
                self = .refused(
                    reason: "the host chose it for \(host.scope.name) and the viewer for \(viewer.scope.name)")
            } else {
                self = .on(host.suite, scope: scope, masksKeys: host.masksKeys && viewer.masksKeys)
            }
        }
    }

    /// A human-readable summary; `nil` if neither end chose a suite.
    package var summary: String? {
        switch self {
        case .off(let reason): reason.map { "The chosen suite is off: \($0). AES-GCM protects instead." }
        case .on(let suite, let scope, let masksKeys):
            "Protected by \(suite.name) for \(scope.name)" + (masksKeys ? ", with masked keys." : ".")
        case .refused(let reason): "The suite is required, and \(reason)."
        }
    }
}
