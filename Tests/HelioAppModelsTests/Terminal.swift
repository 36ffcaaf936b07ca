import HelioAppModels
import HelioScreenReading

/// Renders a model's screens as lines of text, and presses buttons by their titles.
final class Terminal<Model: ScreenModel> {
    var model: Model
    var now = Duration.zero
    /// The model's effects since the last check.
    var effects: [Model.Effect] = []
    let table: TextTable

    init(_ model: Model, _ table: TextTable) {
        self.model = model
        self.table = table
        drain()
    }

    func press(_ label: String) -> Bool {
        guard let action = table.action(label, on: model.screen) else { return false }
        model.press(action, now: now)
        drain()
        return true
    }

    func write(_ text: String, in label: String) -> Bool {
        guard let field = table.field(label, on: model.screen) else { return false }
        model.edit(field, text)
        drain()
        return true
    }

    func happens(_ event: Model.Event) {
        model.handle(event, now: now)
        drain()
    }

    /// Advances the time from one deadline to the next.
    func wait(_ time: Duration) {
        let end = now + time
        while let next = model.deadline, next <= end {
            now = max(now, next)
            model.tick(now: now)
            drain()
        }
        now = end
    }

    var text: String { table.read(model.screen) }

    private func drain() { while let effect = model.poll() { effects.append(effect) } }

    func taken() -> [Model.Effect] {
        defer { effects = [] }
        return effects
    }
}
