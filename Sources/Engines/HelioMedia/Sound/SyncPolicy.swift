/// Which pictures wait to be in sync with their sound.
package enum SyncPolicy: String, Sendable, Hashable, CaseIterable {
    /// Moving video waits; pointer, typed letters and all else are shown at once.
    case auto
    /// None: each picture is shown as soon as it is decoded.
    case immediate
    /// All of them.
    case inStep = "in-step"
}
