internal import HelioTOML
internal import HelioTerminal

/// The contents of a configuration file: the values of keys, and the file's faults.
struct ConfigContents {
    /// A key with its value.
    struct Setting: Equatable {
        let key: ConfigKey
        let value: TOMLValue
        let line: Int
        /// The same as arguments of the command line.
        let arguments: [String]
    }

    /// Something wrong in a line.
    struct Fault: Equatable {
        /// The name of the table; empty above all tables, `nil` if it concerns every command.
        let table: String?
        /// The line; `nil` if none can be named.
        let line: Int?
        let sentence: String
    }

    private(set) var settings: [Setting] = []
    private(set) var faults: [Fault] = []

    init(_ document: TOMLDocument, _ catalog: OptionCatalog) {
        for (name, line) in document.tableNames where catalog.command(name) == nil {
            add(Fault(table: nil, line: line, sentence: Self.unknown(table: name, catalog)))
        }
        for entry in document.entries where entry.table.isEmpty || catalog.command(entry.table) != nil {
            guard let key = catalog.keys(of: entry.table).first(where: { $0.name == entry.key }) else {
                add(Fault(table: entry.table, line: entry.line, sentence: Self.unknown(entry, catalog)))
                continue
            }
            do throws(ConfigProblem) {
                settings.append(
                    Setting(
                        key: key, value: entry.value, line: entry.line, arguments: try key.arguments(for: entry.value)))
            } catch {
                faults.append(Fault(table: entry.table, line: entry.line, sentence: error.sentence))
            }
        }
    }

    /// Adds a fault of a name. The viewer's program does not know the other one's names, and leaves them to it.
    private mutating func add(_ fault: Fault) {
        #if HELIO_VIEWER
        if fault.table?.isEmpty ?? true { return }
        #endif
        faults.append(fault)
    }

    /// The settings that count for a command: those of its table, then those above all tables that it has.
    func settings(for command: OptionCatalog.Command) -> [Setting] {
        let own = settings.filter { $0.key.table == command.name }
        let others = settings.filter { setting in
            setting.key.table.isEmpty && command.keys.contains { $0.name == setting.key.name }
                && !own.contains { $0.key.name == setting.key.name }
        }
        return own + others
    }

    /// The first fault that keeps a command from being run.
    func fault(for command: String) -> Fault? {
        faults.first { $0.table?.isEmpty ?? true || $0.table == command }
    }

    // MARK: Unknown names

    private static func unknown(table name: String, _ catalog: OptionCatalog) -> String {
        let names = catalog.commands.map(\.name)
        if let nearest = NearestWord.find(name, in: names) {
            return "There is no table [\(name)]. Did you mean [\(nearest)]?"
        }
        return "There is no table [\(name)]. There are \(names.map { "[\($0)]" }.joined(separator: ", "))."
    }

    private static func unknown(_ entry: TOMLEntry, _ catalog: OptionCatalog) -> String {
        let name = entry.key
        let place = entry.table.isEmpty ? "above the tables" : "in [\(entry.table)]"
        if let command = catalog.command(entry.table), command.options.contains("--\(name)") {
            return "'\(name)' is for one call alone: give --\(name) on the command line, and remove this line."
        }
        let owners = catalog.commands.filter { command in command.keys.contains { $0.name == name } }.map(\.name)
        if !owners.isEmpty {
            let tables = owners.map { "[\($0)]" }.joined(separator: " or ")
            return "There is no key '\(name)' \(place): it belongs below \(tables)."
        }
        return "There is no key '\(name)' \(place). " + hint(name, of: entry.table, catalog)
    }

    /// A hint at the key that may be meant.
    static func hint(_ name: String, of table: String, _ catalog: OptionCatalog) -> String {
        let here = catalog.keys(of: table).map(\.name)
        if let nearest = NearestWord.find(name, in: here) { return "Did you mean '\(nearest)'?" }
        for command in catalog.commands {
            if let nearest = NearestWord.find(name, in: command.keys.map(\.name)) {
                return "Did you mean '\(nearest)', below [\(command.name)]?"
            }
        }
        return "'heliograph config' lists all keys."
    }
}
