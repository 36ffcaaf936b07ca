/// This Heliograph's version.
package enum HeliographVersion {
    /// As in Semantic Versioning.
    package static let text = "0.1.0"
}
