private import Foundation
package import HelioAdmission
public import HelioCore
internal import HelioProtection

/// A protection suite of the specification, for a closed fleet of devices. It has to be set at both ends before they
/// start.
///
/// Without a suite both ends make keys of their own and use AES-GCM, and no suite is stronger than that. A suite is
/// used if source and sink chose the same one, with the same keys. If only one end chose a suite, AES-GCM is used and
/// an `info` event gives the reason, unless ``isRequired``. Different keys end the session with an error that says so.
///
/// ```swift
/// var options = MirrorSource.Options()
/// options.protection = try ProtectionOptions("aes-256-cbc,hmac-sha256", keys: .init(text: secret))
/// ```
public struct ProtectionOptions: Sendable {
    /// A block cipher, in CBC mode; the raw value is its name.
    public enum Cipher: String, Sendable, CaseIterable {
        /// AES with a key of 128 bits.
        case aes128 = "aes-128-cbc"
        /// AES with a key of 192 bits.
        case aes192 = "aes-192-cbc"
        /// AES with a key of 256 bits.
        case aes256 = "aes-256-cbc"
        /// GB/T 32907 SM4, the specification's SMS4, with a key of 128 bits.
        case sm4 = "sm4-cbc"

        /// The length of the key in bytes.
        public var keyLength: Int { engineCipher.keyLength }
    }

    /// The algorithm that authenticates each packet after encryption; the raw value is its name.
    public enum Integrity: String, Sendable, CaseIterable {
        /// HMAC-SHA256, the specification's SHA256.
        case hmacSHA256 = "hmac-sha256"
        /// HMAC-SHA256 truncated to 128 bits, as the specification's SHA128 is interpreted.
        case hmacSHA256Cut = "hmac-sha256-128"
        /// HMAC-MD5, for old devices.
        case hmacMD5 = "hmac-md5"
    }

    /// The media that the suite protects; everything else is protected by AES-GCM.
    public struct Scope: OptionSet, Sendable {
        /// The set's bits, one for each medium.
        public let rawValue: Int

        /// Makes a set from its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Video, from the source to its sinks.
        public static let video = Scope(rawValue: 1)
        /// Sound, including viewers' voices.
        public static let audio = Scope(rawValue: 2)
        /// The viewers' input, the specification's CMD.
        public static let command = Scope(rawValue: 4)
        /// All media, which is the default.
        public static let all: Scope = [.video, .audio, .command]

        /// Parses a list such as `video,cmd`. Throws `invalidArgument` for an unknown name.
        public init(names: String) throws(HelioError) {
            guard let scope = SuiteScope(name: names.replacing(",", with: "+")) else {
                throw HelioError(.invalidArgument, "\(names): give one or more of video, audio and cmd, with commas.")
            }
            self.init(rawValue: Int(scope.rawValue))
        }
    }

    /// The fleet's secrets, the specification's `key`, `iv` and `authKey`. They are never printed.
    public struct Keys: Sendable, CustomStringConvertible {
        let key: SecretBytes
        let vector: SecretBytes
        let authenticationKey: SecretBytes

        /// Makes the keys; their lengths are checked when the suite is made.
        ///
        /// - Parameters:
        ///   - key: the cipher's key, 16, 24 or 32 bytes.
        ///   - iv: 16 bytes, used as salt when keys are derived. Each packet has its own initialisation vector.
        ///   - authKey: 16 to 64 bytes.
        public init(key: [UInt8], iv: [UInt8], authKey: [UInt8]) {
            self.key = SecretBytes(key)
            vector = SecretBytes(iv)
            authenticationKey = SecretBytes(authKey)
        }

        /// Parses `key=HEX`, `iv=HEX` and `auth-key=HEX`, in any order, separated by spaces or line ends. The rest of a
        /// line after a `#` is ignored.
        ///
        /// Throws `invalidArgument` if the text is malformed; the message does not quote the text.
        public init(text: String) throws(HelioError) {
            let lines = text.split(whereSeparator: \.isNewline).map { $0.prefix { $0 != "#" } }
            var values: [String: [UInt8]] = [:]
            for word in lines.flatMap({ $0.split(whereSeparator: \.isWhitespace) }) {
                let parts = word.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, ["key", "iv", "auth-key"].contains(parts[0]), values[String(parts[0])] == nil,
                    let bytes = Hexadecimal.bytes(parts[1])
                else { throw Self.unreadable }
                values[String(parts[0])] = bytes
            }
            guard let key = values["key"], let iv = values["iv"], let authKey = values["auth-key"] else {
                throw Self.unreadable
            }
            self.init(key: key, iv: iv, authKey: authKey)
        }

        /// A placeholder, `<secret>`.
        public var description: String { "<secret>" }

        private static let unreadable = HelioError(
            .invalidArgument,
            "The keys of a suite have to be three lines, key=HEX, iv=HEX and auth-key=HEX, such as "
                + "'openssl rand -hex 32' makes the HEX of.")
    }

    /// The block cipher.
    public let cipher: Cipher
    /// The algorithm that authenticates packets.
    public let integrity: Integrity
    /// The media that the suite protects.
    public var scope = Scope.all
    /// Masks the keys that are exchanged in signalling, if the other end masks them too: the specification's
    /// `ENCRYPTION_TRANSLEVEL_XOR`. Signalling uses TLS, so the mask adds almost no protection and is off by default.
    public var masksKeys = false
    /// Ends the session instead of falling back to AES-GCM or to a smaller scope.
    public var isRequired = false
    private let secret: SuiteSecret

    /// Makes a suite. Throws `invalidArgument` if a key has the wrong length; the message contains no key.
    public init(_ cipher: Cipher, _ integrity: Integrity, keys: Keys) throws(HelioError) {
        guard
            let secret = SuiteSecret(
                for: cipher.engineCipher, key: keys.key, vector: keys.vector,
                authenticationKey: keys.authenticationKey)
        else {
            throw HelioError(
                .invalidArgument,
                "\(cipher.rawValue) needs a key of \(cipher.keyLength) bytes, an iv of \(SuiteSecret.vectorLength) and an "
                    + "auth-key of 16 to 64: the ones that were given have \(keys.key.count), \(keys.vector.count) and "
                    + "\(keys.authenticationKey.count).")
        }
        self.cipher = cipher
        self.integrity = integrity
        self.secret = secret
    }

    /// Makes a suite from a name such as `aes-256-cbc,hmac-sha256`. Throws `invalidArgument` if the name is unknown or
    /// a key has the wrong length.
    public init(_ name: String, keys: Keys) throws(HelioError) {
        let (cipher, integrity) = try Self.parse(name)
        try self.init(cipher, integrity, keys: keys)
    }

    /// Parses a name such as `aes-256-cbc,hmac-sha256`. Throws `invalidArgument` if the name is unknown.
    public static func parse(_ name: String) throws(HelioError) -> (Cipher, Integrity) {
        let parts = name.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let cipher = Cipher(rawValue: parts[0]), let integrity = Integrity(rawValue: parts[1])
        else {
            throw HelioError(
                .invalidArgument,
                "\(name): give a cipher (\(Cipher.allCases.map(\.rawValue).joined(separator: ", "))), a comma, and "
                    + "\(Integrity.allCases.map(\.rawValue).joined(separator: ", ")): such as aes-256-cbc,hmac-sha256.")
        }
        return (cipher, integrity)
    }

    /// The suite for the engines. Throws `invalidArgument` for an empty scope.
    package func suiteOptions() throws(HelioError) -> SuiteOptions {
        let scope = SuiteScope(rawValue: UInt8(truncatingIfNeeded: self.scope.intersection(.all).rawValue))
        guard !scope.isEmpty else {
            throw HelioError(.invalidArgument, "A suite has to protect something: give it a scope, or leave it out.")
        }
        return SuiteOptions(
            SuiteChoice(
                ProtectionSuite(cipher.engineCipher, integrity.engineIntegrity), scope: scope, masksKeys: masksKeys,
                isRequired: isRequired), secret: secret)
    }
}

extension ProtectionOptions.Cipher {
    fileprivate var engineCipher: SuiteCipher {
        switch self {
        case .aes128: .aes128
        case .aes192: .aes192
        case .aes256: .aes256
        case .sm4: .sm4
        }
    }
}

extension ProtectionOptions.Integrity {
    fileprivate var engineIntegrity: SuiteIntegrity {
        switch self {
        case .hmacSHA256: .hmacSHA256
        case .hmacSHA256Cut: .hmacSHA256Cut
        case .hmacMD5: .hmacMD5
        }
    }
}
