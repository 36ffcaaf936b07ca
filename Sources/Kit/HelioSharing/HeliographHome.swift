private import Foundation
package import HelioStores

/// The directory of this installation's key and pairings.
public enum HeliographHome {
    /// The directory's path: `$HELIOGRAPH_HOME`, or `heliograph` in the user's data folder.
    ///
    /// An app on Apple's systems keeps key and pairings in the Keychain, unless the variable is set.
    public static var path: String {
        if let chosen { return chosen }
        let data = ProcessInfo.processInfo.environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 }
        return (data ?? userFolder + "/.local/share") + "/heliograph"
    }

    /// The path of the command line's configuration file: `config.toml` in `$HELIOGRAPH_HOME`, or in `heliograph` in the
    /// user's folder for configurations (XDG Base Directory Specification).
    package static var configurationFile: String {
        if let chosen { return chosen + "/config.toml" }
        // The specification wants relative paths to be ignored.
        let folder = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (folder ?? userFolder + "/.config") + "/heliograph/config.toml"
    }

    /// The user's home folder: `$HOME` if that is an absolute path, otherwise the folder in the system's user database.
    public static var userFolder: String { userFolder(ProcessInfo.processInfo.environment["HOME"], NSHomeDirectory()) }

    static func userFolder(_ variable: String?, _ listed: String) -> String {
        guard let variable, variable.hasPrefix("/"), variable != "/" else { return listed }
        return variable
    }

    private static var chosen: String? {
        ProcessInfo.processInfo.environment["HELIOGRAPH_HOME"].flatMap { $0.isEmpty ? nil : $0 }
    }

    #if canImport(Security)
    /// The location of key and pairings. A command-line program has no access to a Keychain of its own, so it uses the
    /// folder.
    package static var places: SecretPlaces {
        let isApp = chosen == nil && Bundle.main.bundleIdentifier != nil
        return SecretPlaces(folder: path, keychain: isApp ? SystemKeychain() : nil)
    }
    #else
    /// The location of key and pairings.
    package static var places: SecretPlaces { SecretPlaces(folder: path) }
    #endif
}
