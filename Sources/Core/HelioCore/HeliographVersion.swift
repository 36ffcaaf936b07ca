/// This Heliograph's version.
package enum HeliographVersion {
    /// The version's text, as Semantic Versioning has it.
    package static let text = "0.1.0"
}
