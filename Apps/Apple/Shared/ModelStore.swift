import HelioAppModels
import Observation

/// Makes a model observable by views, and calls its driver at deadlines.
@MainActor @Observable
final class ModelStore<Model: ScreenModel> {
    private(set) var model: Model
    @ObservationIgnored private let driver: ScreenDriver<Model>
    @ObservationIgnored private var alarm: Task<Void, Never>?
    @ObservationIgnored private let onChange: @MainActor () -> Void

    convenience init(_ model: Model, perform: @escaping (Model.Effect) -> Void) {
        let start = ContinuousClock.now
        self.init(ScreenDriver(model, now: { start.duration(to: .now) }, perform: perform))
        driver.tick()
    }

    /// Observes a driver that another object owns.
    ///
    /// - Parameter onChange: called after each change.
    init(_ driver: ScreenDriver<Model>, onChange: @escaping @MainActor () -> Void = {}) {
        model = driver.model
        self.driver = driver
        self.onChange = onChange
        driver.onLog = AppLog.writer(Model.self)
        driver.onChange = { [weak self] in self?.changed() }
        changed()
    }

    func follows(_ other: ScreenDriver<Model>) -> Bool { driver === other }
    func press(_ action: Model.Action) { driver.press(action) }
    func edit(_ field: Model.Field, _ text: String) { driver.edit(field, text) }
    func handle(_ event: Model.Event) { driver.handle(event) }

    private func changed() {
        model = driver.model
        onChange()
        alarm?.cancel()
        guard let wait = driver.timeToTick else { return }
        alarm = Task { [weak self] in
            try? await Task.sleep(for: wait)
            if !Task.isCancelled { self?.driver.tick() }
        }
    }
}
