/// Opens the preferences; only a view has the environment's action for that.
@MainActor
final class PreferencesOpener {
    var open: () -> Void = {}
}
