private import ArgumentParser

/// Checks the whole file, by every command that it has settings for.
enum ConfigCheck {
    /// The faults of a file, in the order of its lines.
    static func faults(_ contents: ConfigContents, _ catalog: OptionCatalog) -> [ConfigContents.Fault] {
        var faults = contents.faults
        for command in catalog.commands {
            let settings = contents.settings(for: command)
            if settings.isEmpty { continue }
            for fault in ConfigMerge(command, contents).check(settings).faults where !faults.contains(fault) {
                faults.append(fault)
            }
        }
        return faults.sorted { ($0.line ?? .max) < ($1.line ?? .max) }
    }

    /// Prints what is wrong in a file; or, if nothing is, how many keys it sets.
    static func isRight(_ file: ConfigFile) -> Bool {
        do {
            let catalog = try OptionCatalog()
            let contents = ConfigContents(file.document, catalog)
            let faults = faults(contents, catalog)
            for fault in faults { say(ConfigFault(fault).text) }
            if !faults.isEmpty { return false }
            let count = contents.settings.count
            say("\(file.path): all is right, \(count == 1 ? "1 key is" : "\(count) keys are") set.")
            return true
        } catch {
            say(Heliograph.message(for: error))
            return false
        }
    }

    /// Reads the file and checks it; prints what is wrong.
    static func isRightNow() -> Bool {
        do {
            return try ConfigFile.read().map(isRight) ?? true
        } catch {
            say(Heliograph.message(for: error))
            return false
        }
    }
}
