import Foundation
import HelioAppModels

extension Phrase {
    /// The words in the person's language.
    var localized: String {
        words { Bundle.main.localizedString(forKey: $0.rawValue, value: nil, table: nil) }
    }
}
