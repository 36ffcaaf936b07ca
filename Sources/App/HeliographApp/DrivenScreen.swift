internal import HelioAppModels

/// Redraws a view when its model changes, and calls the model at its deadlines.
@MainActor
final class DrivenScreen<Model: ScreenModel> {
    let driver: ScreenDriver<Model>
    private let draw: (Model) -> Void
    private var alarm: Task<Void, Never>?

    /// Draws at once, and after each change, until this object is gone.
    init(_ driver: ScreenDriver<Model>, draw: @escaping (Model) -> Void) {
        self.driver = driver
        self.draw = draw
        driver.onChange = { [weak self] in self?.changed() }
        changed()
    }

    isolated deinit { alarm?.cancel() }

    private func changed() {
        draw(driver.model)
        alarm?.cancel()
        guard let wait = driver.timeToTick else { return }
        alarm = Task { [weak self] in
            try? await Task.sleep(for: wait)
            if !Task.isCancelled { self?.driver.tick() }
        }
    }
}
