internal import ArgumentParser

/// The error for an option that is of no use without another.
///
/// All such errors are made here, so that the configuration file can have the option: it waits there until the command
/// line, or another key, has the one that it needs.
enum OptionNeed {
    /// Throws if one of the options is given, though the one that they need is not.
    ///
    /// - Parameters:
    ///   - needed: the option that they need, with its dashes.
    ///   - options: the options with their dashes, each with true if it is given.
    static func check(_ needed: String, _ isGiven: Bool, for options: [(String, Bool)]) throws {
        guard !isGiven, let option = options.first(where: { $0.1 }) else { return }
        throw ValidationError("\(option.0): give \(needed) too.")
    }

    /// True if an error's sentence is that of an option that needs another.
    static func isSentence(_ sentence: String, of option: String) -> Bool {
        let (start, end) = ("\(option): give --", " too.")
        guard sentence.hasPrefix(start), sentence.hasSuffix(end) else { return false }
        return !sentence.dropFirst(start.count).dropLast(end.count).contains(" ")
    }
}
