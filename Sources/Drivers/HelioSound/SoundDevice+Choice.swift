package import HelioCore

// Looks up devices by their names.

extension [SoundDevice] {
    /// Returns the device with this ID or displayed name.
    package func named(_ name: String) -> SoundDevice? { first { $0.id == name || $0.name == name } }
}

extension HelioError {
    /// Makes the error for a device name that does not exist.
    ///
    /// - Parameters:
    ///   - kind: the type of device, as named in the message.
    ///   - choices: the names of the existing devices.
    package static func missing(_ kind: String, _ name: String, choices: [String]) -> HelioError {
        let list = choices.isEmpty ? "There is none." : "There are: \(choices.joined(separator: ", "))."
        return HelioError(.invalidArgument, "There is no \(kind) '\(name)'. \(list)")
    }
}
