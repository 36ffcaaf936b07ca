/// The policy by which pictures wait to be in sync with their sound.
package enum SyncPolicy: String, Sendable, Hashable, CaseIterable {
    /// Moving video waits; small changes, such as the pointer and typed letters, are shown at once.
    case auto
    /// No picture waits; each is shown as soon as it is decoded.
    case immediate
    /// Every picture waits for its sound.
    case inStep = "in-step"
}
