import HelioCore
import HelioProtection

/// The header with an end's choice of a cipher suite: in the viewer's DESCRIBE request that carries its proof, and in
/// the host's response.
///
///     Heliograph-Suite: offer suite="aes-256-cbc+hmac-sha256", scope="video+cmd", mask="yes", required="no",
///         proof="HEX"
///     Heliograph-Suite: on suite="aes-256-cbc+hmac-sha256", scope="video+cmd", mask="no", required="no", proof="HEX"
///
/// The host sends no header if the suite is off, or if it does not support suites.
package struct SuiteHeader: Equatable {
    package static let headerName = "Heliograph-Suite"

    /// The kind of header: the viewer's offer, or the host's answer with the suite that is on.
    package enum Step: String, CaseIterable {
        case offer
        case on
    }

    package let step: Step
    package let choice: SuiteChoice
    /// The proof that the sender has the fleet's secret.
    package let proof: [UInt8]

    /// The text of the choice, to which the proof is bound.
    package static func statement(_ step: Step, _ choice: SuiteChoice) -> String {
        HeaderFields.write(step.rawValue, fields(choice))
    }

    package var value: String {
        HeaderFields.write(step.rawValue, Self.fields(choice) + [("proof", Hexadecimal.text(proof))])
    }

    package init(_ step: Step, _ choice: SuiteChoice, proof: [UInt8]) {
        self.step = step
        self.choice = choice
        self.proof = proof
    }

    package init?(_ step: Step, value: String) {
        guard let fields = HeaderFields.parse(value, scheme: step.rawValue),
            let suite = fields["suite"].flatMap(ProtectionSuite.init(name:)),
            let scope = fields["scope"].flatMap(SuiteScope.init(name:)), let masks = Self.flag(fields["mask"]),
            let isRequired = Self.flag(fields["required"]),
            let proof = HeaderFields.bytes(fields["proof"], count: LinkProof.length)
        else { return nil }
        self.init(
            step, SuiteChoice(suite, scope: scope, masksKeys: masks, isRequired: isRequired), proof: proof)
    }

    private static func fields(_ choice: SuiteChoice) -> [(name: String, value: String)] {
        [
            ("suite", choice.suite.name), ("scope", choice.scope.name), ("mask", choice.masksKeys ? "yes" : "no"),
            ("required", choice.isRequired ? "yes" : "no"),
        ]
    }

    private static func flag(_ text: String?) -> Bool? {
        switch text {
        case "yes": true
        case "no": false
        default: nil
        }
    }
}
