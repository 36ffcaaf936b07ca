package import HelioProtection

/// An end's choice among the specification's cipher suites, as sent to the peer.
package struct SuiteChoice: Sendable, Hashable {
    package var suite: ProtectionSuite
    package var scope: SuiteScope
    /// True to mask keys in signalling, inside TLS (requirement row 35), if the peer chooses masking, too.
    package var masksKeys: Bool
    /// True to refuse the session unless exactly this suite and scope are agreed on.
    package var isRequired: Bool

    package init(_ suite: ProtectionSuite, scope: SuiteScope = .all, masksKeys: Bool = false, isRequired: Bool = false)
    {
        self.suite = suite
        self.scope = scope
        self.masksKeys = masksKeys
        self.isRequired = isRequired
    }
}

/// An app's suite settings: the choice, and the secret that all devices of the fleet share.
package struct SuiteOptions: Sendable {
    package var choice: SuiteChoice
    package var secret: SuiteSecret

    package init(_ choice: SuiteChoice, secret: SuiteSecret) {
        self.choice = choice
        self.secret = secret
    }
}
