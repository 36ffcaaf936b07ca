import HelioAppModels
import HelioScreenReading

/// Reads a screen's text and presses its buttons.
@MainActor
struct Reader<Model: ScreenModel> {
    let driver: ScreenDriver<Model>
    let table: TextTable

    var text: String { table.read(driver.model.screen) }

    func press(_ label: String) -> Bool {
        guard let action = table.action(label, on: driver.model.screen) else { return false }
        driver.press(action)
        return true
    }

    func write(_ text: String, in label: String) -> Bool {
        guard let field = table.field(label, on: driver.model.screen) else { return false }
        driver.edit(field, text)
        return true
    }
}
