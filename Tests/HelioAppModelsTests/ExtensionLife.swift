import HelioAppModels

/// A reference to a broadcast extension's model, so that expectations can call its mutating functions.
final class ExtensionLife {
    private var model = BroadcastExtensionModel()

    func handle(_ event: BroadcastExtensionModel.Event, now: Duration) { model.handle(event, now: now) }
    func tick(now: Duration) { model.tick(now: now) }
    func takesPicture() -> Bool { model.takesPicture() }
    var drops: Int { model.drops }
    var deadline: Duration? { model.deadline }

    /// Returns the effects since the previous call.
    func effects() -> [BroadcastExtensionModel.Effect] {
        var effects: [BroadcastExtensionModel.Effect] = []
        while let effect = model.poll() { effects.append(effect) }
        return effects
    }
}
