/// Keeps a model for a view: hands on what happens, has its effects done, and says when there is something else to draw.
@MainActor
public final class ScreenDriver<Model: ScreenModel> {
    /// The model as it is now.
    public private(set) var model: Model
    /// Called after each change.
    public var onChange: () -> Void = {}
    private let now: () -> Duration
    private let perform: (Model.Effect) -> Void

    /// - Parameters:
    ///   - now: the time since any one start of a monotonic clock.
    ///   - perform: does what the model wants done; it may call the driver.
    public init(_ model: Model, now: @escaping () -> Duration, perform: @escaping (Model.Effect) -> Void) {
        self.model = model
        self.now = now
        self.perform = perform
    }

    /// Takes in what a person has pressed.
    public func press(_ action: Model.Action) { change { $0.press(action, now: $1) } }
    /// Takes in what a person has written.
    public func edit(_ field: Model.Field, _ text: String) { change { model, _ in model.edit(field, text) } }
    /// Takes in what has happened.
    public func handle(_ event: Model.Event) { change { $0.handle(event, now: $1) } }

    /// Lets what waits for a time happen.
    public func tick() { change { $0.tick(now: $1) } }

    /// How long until ``tick()`` is to be called; `nil` where nothing waits for a time.
    public var timeToTick: Duration? { model.deadline.map { max(.zero, $0 - now()) } }

    private func change(_ body: (inout Model, Duration) -> Void) {
        body(&model, now())
        while let effect = model.poll() { perform(effect) }
        onChange()
    }
}
