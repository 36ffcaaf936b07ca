/// Which pictures wait to be in step with their sound.
package enum SyncPolicy: String, Sendable, Hashable, CaseIterable {
    /// Moving video waits; a pointer, a letter and all else is shown at once.
    case auto
    /// None: each picture is shown as soon as it is there.
    case immediate
    /// All of them.
    case inStep = "in-step"
}
