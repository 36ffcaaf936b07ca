import os

/// The app's log in the system's: `log stream --predicate 'subsystem == "org.heliograph"'` shows it on a Mac, and
/// Console that of a phone.
enum AppLog {
    private static let subsystem = "org.heliograph"

    /// - Parameter screen: the screen's model, whose name is the log's category.
    static func writer<Model>(_ screen: Model.Type) -> (String) -> Void {
        let logger = Logger(subsystem: subsystem, category: "\(screen)")
        // The lines have no secrets, so they are readable in a log that somebody sends.
        // Figures come each second.
        return { line in if line != "event figures" { logger.notice("\(line, privacy: .public)") } }
    }
}
