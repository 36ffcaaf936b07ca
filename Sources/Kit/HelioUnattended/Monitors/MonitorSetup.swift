package import HelioCore

/// Gives a desktop without a monitor a virtual one.
package struct MonitorSetup: Sendable {
    private let tool: SystemTool

    /// - Parameter environment: the variables that lead to the desktop, with those of this process.
    package init(environment: [String: String]) { tool = SystemTool(environment: environment) }

    /// Has the desktop have a monitor. Returns a sentence about the one that was made; `nil` if there is one.
    ///
    /// GNOME needs nothing: a virtual monitor is made as its screen is captured. Other compositors than sway have no
    /// command for it.
    ///
    /// Throws `unsupported` or `systemFailed`.
    package func prepare(_ size: PixelSize, at place: DesktopPlace) throws(HelioError) -> String? {
        if place.environment["SWAYSOCK"] != nil { return try prepareSway(size) }
        guard place.environment["WAYLAND_DISPLAY"] == nil else { return nil }
        let commands = try MonitorPlan.x11(try output(["xrandr", SystemTool.option("query")]), size: size)
        for command in commands { _ = try output(command) }
        return commands.isEmpty ? nil : "A virtual monitor of \(size) was made: there was none."
    }

    private func prepareSway(_ size: PixelSize) throws(HelioError) -> String? {
        let question = ["swaymsg", "-t", "get_outputs", "-r"]
        guard let before = MonitorPlan.swayOutputs(try output(question)) else {
            throw HelioError(.systemFailed, "swaymsg's list of outputs can't be read.")
        }
        guard before.isEmpty else { return nil }
        _ = try output(["swaymsg", "create_output"])
        guard let name = MonitorPlan.swayOutputs(try output(question))?.first else {
            throw HelioError(.unsupported, "sway has made no output.")
        }
        _ = try output(["swaymsg", "output", name, "resolution", "\(size.width)x\(size.height)"])
        return "A virtual monitor of \(size) was made: there was none."
    }

    private func output(_ command: [String]) throws(HelioError) -> String {
        let result = try tool.run(command)
        guard result.status == 0 else {
            throw HelioError(.systemFailed, "'\(command.prefix(2).joined(separator: " "))' has failed.")
        }
        return result.text
    }
}
