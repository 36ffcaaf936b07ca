/// Shows the preferences, which a view alone can do.
@MainActor
final class PreferencesOpener {
    var open: () -> Void = {}
}
