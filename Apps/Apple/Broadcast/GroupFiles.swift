import Foundation
import HelioAppModels
import HelioBroadcastFlow
import ReplayKit

/// The App Group's defaults and folder, which the app and its extension share.
enum GroupFiles {
    static func text(_ key: String) -> String? { UserDefaults(suiteName: BroadcastKeys.group)?.string(forKey: key) }

    static var folder: GroupFolder? {
        FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: BroadcastKeys.group)
            .map { GroupFolder($0.path) }
    }
}
