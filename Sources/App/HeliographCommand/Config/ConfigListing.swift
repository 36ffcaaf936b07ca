private import Foundation
internal import HelioTOML
private import HelioViewing

/// The keys with their meanings, defaults and present values, for people and for programs.
struct ConfigListing {
    private let catalog: OptionCatalog
    private let contents: ConfigContents?

    /// - Parameter contents: the file's contents; `nil` if there is no file.
    init(_ catalog: OptionCatalog, _ contents: ConfigContents?) {
        self.catalog = catalog
        self.contents = contents
    }

    /// A key for programs, as a line of JSON.
    private struct Line: Encodable {
        let key: String
        let kind: String
        let meaning: String
        let choices: [String]
        let `default`: String?
        /// The present values as the command line would have them; none if the key has no value.
        let values: [String]
        /// `file`, `environment` or `default`.
        let source: String
        let line: Int?
        let variables: [String]
    }

    /// The value of a key in the file: that of its table, else that above the tables.
    func setting(of key: ConfigKey) -> ConfigContents.Setting? {
        guard let settings = contents?.settings else { return nil }
        return settings.first { $0.key == key }
            ?? settings.first { $0.key.table.isEmpty && $0.key.name == key.name && $0.key.argument == key.argument }
    }

    /// The present values of a key as texts, without those of environment variables, which may be secrets.
    func values(of key: ConfigKey) -> [String] {
        setting(of: key).map { Self.texts($0.value) } ?? key.defaultText.map { [$0] } ?? []
    }

    /// The environment variable that is set, and wins over the file.
    private func variable(of key: ConfigKey) -> String? { key.variables.first { SecretVariable.isSet($0) } }

    static func texts(_ value: TOMLValue) -> [String] {
        switch value {
        case .string(let text): [text]
        case .integer, .float, .boolean: [value.text]
        case .array(let values): values.flatMap(texts)
        }
    }

    // MARK: Lines

    /// The keys of a command's own table: its own, and those of several commands that the file has there.
    private func keys(of command: OptionCatalog.Command) -> [ConfigKey] {
        let own = catalog.ownKeys(of: command)
        let set = contents?.settings.map(\.key).filter { $0.table == command.name } ?? []
        return own + set.filter { key in !own.contains(key) }
    }

    var json: [String] {
        (catalog.common + catalog.commands.flatMap(keys)).compactMap { key in
            let setting = setting(of: key)
            let line = Line(
                key: key.id, kind: key.kind.rawValue, meaning: key.meaning, choices: key.argument.choices,
                default: key.defaultText, values: values(of: key),
                source: variable(of: key) != nil ? "environment" : setting != nil ? "file" : "default",
                line: setting?.line, variables: key.variables)
            return try? line.jsonLine()
        }
    }

    /// - Parameter columns: the width of the output.
    func text(columns: Int) -> [String] {
        var lines: [String] = []
        if !catalog.common.isEmpty {
            lines += ["", "Above all tables, for several commands; or below one of them, for it alone:"]
            lines += catalog.common.flatMap { self.lines(of: $0, columns) }
        }
        for command in catalog.commands {
            let keys = keys(of: command)
            if keys.isEmpty { continue }
            lines += ["", "[\(command.name)]"] + keys.flatMap { self.lines(of: $0, columns) }
        }
        return lines
    }

    private func lines(of key: ConfigKey, _ columns: Int) -> [String] {
        let present: String
        if let variable = variable(of: key) {
            present = "\(key.name): \(variable) is set and counts"
        } else if let setting = setting(of: key) {
            let usual = key.defaultTOML.map { ", else \($0)" } ?? ""
            present = "\(key.name) = \(setting.value.text)   (line \(setting.line)\(usual))"
        } else if let usual = key.defaultTOML {
            present = "\(key.name) = \(usual)   (default)"
        } else {
            present = "\(key.name)   (not set)"
        }
        return ["  \(present)"] + TextWrap.lines(key.meaning, columns: columns - 7).map { "      \($0)" }
    }
}
