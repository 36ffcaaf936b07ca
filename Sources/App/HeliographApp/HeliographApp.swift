private import Foundation
private import HelioDesktopFlow
private import HelioGTK

/// The app for Linux desktops: a window to connect to other machines, and to share this one.
///
/// The window of a session is a process of its own, which is this program with another argument; see `SpawnedSession`.
@main
struct HeliographApp {
    /// The name on the session bus, of the .desktop file and of the icon.
    static let id = "org.heliograph.Heliograph"

    @MainActor
    static func main() {
        // A session's process may end before it has read the request.
        signal(SIGPIPE, SIG_IGN)
        if CommandLine.arguments.dropFirst().first == SessionProcess.argument { exit(SessionProcess.run()) }
        let desktop = Desktop(Application(id: id))
        exit(desktop.run())
    }
}
