/// Runs a model for a view: passes actions and events to the model, executes its effects, and reports changes to draw.
@MainActor
public final class ScreenDriver<Model: ScreenModel> {
    /// The current model.
    public private(set) var model: Model
    /// Called after each call that may have changed the model.
    public var onChange: () -> Void = {}
    /// Called with a line for the app's log, see ``ScreenLog``.
    public var onLog: (String) -> Void = { _ in }
    private let now: () -> Duration
    private let perform: (Model.Effect) -> Void

    /// - Parameters:
    ///   - now: the time on a monotonic clock with any origin.
    ///   - perform: executes an effect; it may call the driver.
    public init(_ model: Model, now: @escaping () -> Duration, perform: @escaping (Model.Effect) -> Void) {
        self.model = model
        self.now = now
        self.perform = perform
    }

    /// Passes the user's action to the model, executes the effects that result, and calls ``onChange``.
    public func press(_ action: Model.Action) {
        onLog(ScreenLog.line("press", action))
        change { $0.press(action, now: $1) }
    }
    /// Passes the new text of a field to the model, executes the effects that result, and calls ``onChange``.
    public func edit(_ field: Model.Field, _ text: String) { change { model, _ in model.edit(field, text) } }
    /// Passes an event to the model, executes the effects that result, and calls ``onChange``.
    public func handle(_ event: Model.Event) {
        onLog(ScreenLog.line("event", event))
        change { $0.handle(event, now: $1) }
    }

    /// Has the model handle its expired deadlines, executes the effects that result, and calls ``onChange``.
    public func tick() { change { $0.tick(now: $1) } }

    /// The time until ``tick()`` has to be called; `nil` if the model has no deadline.
    public var timeToTick: Duration? { model.deadline.map { max(.zero, $0 - now()) } }

    private func change(_ body: (inout Model, Duration) -> Void) {
        body(&model, now())
        while let effect = model.poll() {
            onLog(ScreenLog.line("effect", effect))
            perform(effect)
        }
        onChange()
    }
}
