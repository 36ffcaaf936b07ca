package import HelioCore

/// The key mode that the user has chosen for each host: `keys` in the installation's folder, one line for each host,
/// the latest choice at the end.
package struct KeyModeStore: Sendable {
    /// The maximum number of stored hosts; a further host evicts the one whose choice is oldest.
    package static let limit = 256

    private let storage: any SecretStorage

    package init(in storage: any SecretStorage) { self.storage = storage }

    /// Returns the file that stores the choices in an installation's folder.
    package static func file(in folder: String) -> any SecretStorage {
        SecretFile(folder: folder, name: "keys", advice: "Remove it: keys then go by their character again.")
    }

    /// Reads the choice for a host; `nil` if there is none. Throws `systemFailed` if the file can't be used.
    ///
    /// - Parameter host: an identifier of the host, without spaces.
    package func mode(of host: String) throws(HelioError) -> KeyMode? {
        Self.lines(try storage.read()).last { $0.host == host }?.mode
    }

    /// Stores the choice for a host. Throws `systemFailed` if the file can't be written.
    package func set(_ mode: KeyMode, of host: String) throws(HelioError) {
        try storage.change { bytes in
            var lines = Self.lines(bytes).filter { $0.host != host }
            lines.append((host, mode))
            return Array(lines.suffix(Self.limit).map { "\($0.host) \($0.mode.rawValue)\n" }.joined().utf8)
        }
    }

    /// Parses the lines; malformed lines are skipped.
    private static func lines(_ bytes: [UInt8]?) -> [(host: String, mode: KeyMode)] {
        String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 2, let mode = KeyMode(rawValue: String(words[1])) else { return nil }
            return (String(words[0]), mode)
        }
    }
}
