private import HelioCore

extension MirrorSource {
    /// Lists the monitors of a display that can be shared, one line each, and notes about the display; or the reason
    /// why no monitor can be shared.
    ///
    /// - Parameters:
    ///   - display: the display that the user names; `nil` for the default display.
    ///   - capture: the way to capture, a name as in `captures(display:)`; `nil` for the one that suits the session.
    public static func screens(display: String?, capture: String? = nil) -> [String] {
        do {
            let platform = try systemSource.capturing(by: capture)
            let warnings = try platform.warnings(display: display).map { "note: \($0)." }
            let monitors = try platform.monitors(display: display).enumerated().map { number, monitor in
                let mark = monitor.isPrimary ? ", primary" : ""
                return "screen \(number): \(monitor.name), \(monitor.rect.width)x\(monitor.rect.height) at "
                    + "\(monitor.rect.x),\(monitor.rect.y)\(mark)"
            }
            return monitors + warnings
        } catch {
            return ["no screen: \(error.message)"]
        }
    }

    /// Lists the ways to capture a screen, one line each, with the reason if a way can't be used in this session; empty
    /// on systems that have only one way.
    ///
    /// - Parameter display: the display that the user names; `nil` for the default display.
    public static func captures(display: String?) -> [String] {
        systemSource.captures(display: display).map { entry in
            "capture \(entry.name): \(usability(entry.isUsable, entry.reason))"
        }
    }

    /// Lists what the session offers to capture its screen, one line each, for a report of a fault: protocols,
    /// services, versions and monitors, without secrets or titles. Empty on systems that have only one way to capture.
    ///
    /// - Parameter display: the display that the user names; `nil` for the default display.
    public static func captureDetails(display: String?) -> [String] { systemSource.captureDetails(display: display) }

    /// Lists the encoders, one line each, with the reason if an encoder can't be used on this machine.
    public static func encoders() -> [String] {
        systemSource.encoders().map { entry in
            "encoder \(entry.name) (\(entry.codec.rawValue)): \(usability(entry.isUsable, entry.reason))"
        }
    }

    /// The names of the monitors of the default display; empty if there is none.
    package static func monitorNames() -> [String] {
        ((try? systemSource.monitors(display: nil)) ?? []).map(\.name)
    }

    /// The names of the encoders that this machine has.
    package static func encoderNames() -> [String] { systemSource.encoders().filter(\.isUsable).map(\.name) }

    private static func usability(_ isUsable: Bool, _ reason: String) -> String {
        (isUsable ? "usable" : "not usable") + (reason.isEmpty ? "" : ", \(reason)")
    }
}
