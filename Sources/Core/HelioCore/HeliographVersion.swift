/// The version of this build.
package enum HeliographVersion {
    /// The version as text, following Semantic Versioning.
    package static let text = "0.1.0"
}
