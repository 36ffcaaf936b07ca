import HelioAppModels

/// A broadcast extension's model, for expectations that ask it in passing.
final class ExtensionLife {
    private var model = BroadcastExtensionModel()

    func handle(_ event: BroadcastExtensionModel.Event, now: Duration) { model.handle(event, now: now) }
    func tick(now: Duration) { model.tick(now: now) }
    func takesPicture() -> Bool { model.takesPicture() }
    var drops: Int { model.drops }
    var deadline: Duration? { model.deadline }

    /// What it wanted done since the last look.
    func effects() -> [BroadcastExtensionModel.Effect] {
        var effects: [BroadcastExtensionModel.Effect] = []
        while let effect = model.poll() { effects.append(effect) }
        return effects
    }
}
