package import HelioProtection

/// One end's choice among the spec's suites, as it is sent to the other end.
package struct SuiteChoice: Sendable, Hashable {
    package var suite: ProtectionSuite
    package var scope: SuiteScope
    /// True to mask keys in signalling, inside TLS (requirement row 35), if the other end does too.
    package var masksKeys: Bool
    /// True to end the session rather than continue without exactly this suite and scope.
    package var isRequired: Bool

    package init(_ suite: ProtectionSuite, scope: SuiteScope = .all, masksKeys: Bool = false, isRequired: Bool = false)
    {
        self.suite = suite
        self.scope = scope
        self.masksKeys = masksKeys
        self.isRequired = isRequired
    }
}

/// An app's settings for suites, made before the start: the choice, and the fleet's secret that goes with it.
package struct SuiteOptions: Sendable {
    package var choice: SuiteChoice
    package var secret: SuiteSecret

    package init(_ choice: SuiteChoice, secret: SuiteSecret) {
        self.choice = choice
        self.secret = secret
    }
}
