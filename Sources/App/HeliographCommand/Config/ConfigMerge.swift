private import Foundation

/// Joins the settings of the configuration file with the arguments of a call.
///
/// Arguments and environment win over the file. Whether values are right is for the command to say: it parses them as if
/// they had been typed, so that its sentences are the same.
struct ConfigMerge {
    let command: OptionCatalog.Command
    let contents: ConfigContents
    /// Parses arguments; returns the sentence of what is wrong with them, or `nil`.
    let fault: ([String]) -> String?

    init(
        _ command: OptionCatalog.Command, _ contents: ConfigContents,
        fault: @escaping ([String]) -> String? = { Heliograph.fault(of: $0) }
    ) {
        self.command = command
        self.contents = contents
        self.fault = fault
    }

    /// Returns the arguments with those of the file behind the command's name.
    ///
    /// - Parameters:
    ///   - typed: the arguments after the command's name.
    ///   - left: the names of keys that the call leaves out.
    func arguments(_ typed: [String], leaving left: Set<String>) throws(ConfigFault) -> [String] {
        if let fault = contents.fault(for: command.name) { throw ConfigFault(fault) }
        var settings = contents.settings(for: command).filter {
            !left.contains($0.key.name) && !Self.isGiven($0.key, in: typed) && !Self.isSetOutside($0.key)
        }
        let whole = joined(settings, typed)
        if fault(whole) == nil { return whole }
        let checked = check(settings)
        if let first = checked.faults.first { throw ConfigFault(first) }
        settings = checked.settings
        // Settings that conflict with the typed options are left out, as are those that need a missing option. Each
        // round takes out one.
        while let sentence = fault(joined(settings, typed)) {
            guard let index = culprit(of: sentence, in: settings, typed) else { break }
            settings.remove(at: index)
        }
        if fault(joined(settings, typed)) != nil { settings = compatible(settings, typed) }
        return joined(settings, typed)
    }

    /// The settings that go with the call, where several are in the way and each of them by itself.
    ///
    /// Tries the settings one by one, so that the file's other settings are kept, such as that viewers only watch.
    private func compatible(_ settings: [ConfigContents.Setting], _ typed: [String]) -> [ConfigContents.Setting] {
        var (kept, left): ([ConfigContents.Setting], [ConfigContents.Setting]) = ([], settings)
        // A setting that needs another is valid as soon as the other one is there.
        while let index = left.firstIndex(where: { fault(joined(kept + [$0], typed)) == nil }) {
            kept.append(left.remove(at: index))
        }
        return settings.filter(kept.contains)
    }

    /// Checks settings by themselves. Returns those that are right, some of which may need an option that is not there, and
    /// what is wrong with the others.
    func check(
        _ settings: [ConfigContents.Setting]
    ) -> (
        settings: [ConfigContents.Setting], faults: [ConfigContents.Fault]
    ) {
        var (left, waiting): ([ConfigContents.Setting], [ConfigContents.Setting]) = (settings, [])
        var faults: [ConfigContents.Fault] = []
        while let sentence = fault(joined(left, command.placeholders)) {
            if let index = left.firstIndex(where: { OptionNeed.isSentence(sentence, of: $0.key.option) }) {
                waiting.append(left.remove(at: index))
                continue
            }
            guard let index = culprit(of: sentence, in: left, command.placeholders) else {
                faults.append(.init(table: command.name, line: nil, sentence: sentence))
                break
            }
            let wrong = left.remove(at: index)
            faults.append(.init(table: wrong.key.table, line: wrong.line, sentence: sentence))
        }
        return (settings.filter { left.contains($0) || waiting.contains($0) }, faults)
    }

    private func joined(_ settings: [ConfigContents.Setting], _ typed: [String]) -> [String] {
        [command.name] + settings.flatMap(\.arguments) + typed
    }

    /// The setting that a sentence names, or without which it is gone.
    private func culprit(of sentence: String, in settings: [ConfigContents.Setting], _ typed: [String]) -> Int? {
        let named = settings.firstIndex { setting in
            [" ", ":"].contains { sentence.hasPrefix(setting.key.option + $0) }
                || sentence.contains("'\(setting.key.option)'") || sentence.contains("'\(setting.key.option) <")
        }
        if let named { return named }
        return settings.indices.first { index in
            var others = settings
            others.remove(at: index)
            return fault(joined(others, typed)) != sentence
        }
    }

    /// True if the call itself has an option, before `--`.
    private static func isGiven(_ key: ConfigKey, in typed: [String]) -> Bool {
        typed.prefix { $0 != "--" }.contains { word in
            key.argument.typedNames.contains { word == $0 || word.hasPrefix($0 + "=") }
        }
    }

    /// True if an environment variable sets what the option would.
    private static func isSetOutside(_ key: ConfigKey) -> Bool {
        key.variables.contains { SecretVariable.isSet($0) }
    }
}

/// A fault of the configuration file, for the user.
struct ConfigFault: Error {
    let fault: ConfigContents.Fault

    init(_ fault: ConfigContents.Fault) { self.fault = fault }

    /// The sentence with the file and the line.
    var text: String {
        "\(ConfigFile.path ?? ""), \(fault.line.map { "line \($0): " } ?? "")\(fault.sentence)"
    }
}
