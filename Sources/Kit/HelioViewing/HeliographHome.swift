private import Foundation

/// The directory of this installation's key and pairings.
public enum HeliographHome {
    /// The directory's path: `$HELIOGRAPH_HOME`, or `heliograph` in the user's data folder.
    public static var path: String {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["HELIOGRAPH_HOME"], !path.isEmpty { return path }
        let data = environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 }
        return (data ?? NSHomeDirectory() + "/.local/share") + "/heliograph"
    }
}
