package import HelioCore

/// A storage for one list of secrets: a file, or an item of the Keychain on Apple's systems.
package protocol SecretStorage: Sendable {
    /// The storage's human-readable name, for messages.
    var place: String { get }
    /// Returns a fingerprint that changes whenever the contents change; `nil` if there are no contents.
    func fingerprint() -> FileFingerprint?
    /// Reads the contents; `nil` if there are none. Throws `systemFailed` if they can't be read; callers must not treat
    /// this like missing contents.
    func read() throws(HelioError) -> [UInt8]?
    /// Reads the contents and replaces them by the result of `body`, atomically with respect to other programs.
    func change(_ body: ([UInt8]?) throws(HelioError) -> [UInt8]) throws(HelioError)
}
