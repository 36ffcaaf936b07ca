package import HelioCore

/// A place for one list of secrets: a file on Linux, an item of the Keychain on Apple's systems.
package protocol SecretStorage: Sendable {
    /// The place's name, for the user.
    var place: String { get }
    /// A fingerprint that changes whenever the contents change; `nil` if there are none.
    func fingerprint() -> FileFingerprint?
    /// Reads the contents; `nil` if there are none. Throws `systemFailed` if they can't be read, which must not be
    /// taken for missing contents.
    func read() throws(HelioError) -> [UInt8]?
    /// Reads the contents, and replaces them as a whole, with no other program in between.
    func change(_ body: ([UInt8]?) throws(HelioError) -> [UInt8]) throws(HelioError)
}
