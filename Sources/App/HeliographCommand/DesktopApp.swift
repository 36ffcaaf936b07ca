private import Foundation
private import HelioTerminal

/// The app for Linux desktops, a program of its own that may be installed beside this one.
enum DesktopApp {
    private static let name = "heliograph-app"

    /// Becomes the app if this program was started without arguments on a desktop, and the app is installed beside it.
    /// Returns otherwise.
    static func takeOver() {
        let environment = ProcessInfo.processInfo.environment
        let hasDesktop = ["WAYLAND_DISPLAY", "DISPLAY"].contains { environment[$0].map { !$0.isEmpty } ?? false }
        guard CommandLine.arguments.count == 1, hasDesktop,
            let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        else { return }
        let path = (own as NSString).deletingLastPathComponent + "/" + name
        guard FileManager.default.isExecutableFile(atPath: path) else { return }
        if isatty(STDERR_FILENO) != 0 {
            Output.warn("Opening the app. 'heliograph help' lists the commands.")
            OutputWriter.error.drain(within: .milliseconds(300))
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(name), nil]
        // Returns only if it fails, and the help is shown then.
        execv(path, &arguments)
    }
}
