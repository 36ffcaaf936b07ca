import Foundation
import HelioAppModels

/// Stores texts in the system's defaults: the app's own, or those of its group.
@MainActor
final class TextDefaults: KeyValueStore {
    private let defaults: UserDefaults?

    /// - Parameter group: the App Group; `nil` for the app's own defaults.
    init(group: String? = nil) { defaults = group.map { UserDefaults(suiteName: $0) } ?? .standard }

    func text(_ key: String) -> String? { defaults?.string(forKey: key) }
    func set(_ text: String?, for key: String) { defaults?.set(text, forKey: key) }
}
