package import HelioCore

// A device as a person names it.

extension [SoundDevice] {
    /// The device of this ID, or of the name that people see.
    package func named(_ name: String) -> SoundDevice? { first { $0.id == name || $0.name == name } }
}

extension HelioError {
    /// There is no device of a name.
    ///
    /// - Parameters:
    ///   - kind: what it should be, for people.
    ///   - choices: the names of those that there are.
    package static func missing(_ kind: String, _ name: String, choices: [String]) -> HelioError {
        let list = choices.isEmpty ? "There is none." : "There are: \(choices.joined(separator: ", "))."
        return HelioError(.invalidArgument, "There is no \(kind) '\(name)'. \(list)")
    }
}
