package import HelioCore

// Devices by the names that people use.

extension [SoundDevice] {
    /// The device of this ID, or of the name that people see.
    package func named(_ name: String) -> SoundDevice? { first { $0.id == name || $0.name == name } }
}

extension HelioError {
    /// Makes the error for a device name that does not exist.
    ///
    /// - Parameters:
    ///   - kind: the kind of device, for the user.
    ///   - choices: the names of the existing devices.
    package static func missing(_ kind: String, _ name: String, choices: [String]) -> HelioError {
        let list = choices.isEmpty ? "There is none." : "There are: \(choices.joined(separator: ", "))."
        return HelioError(.invalidArgument, "There is no \(kind) '\(name)'. \(list)")
    }
}
