private import HelioCore

/// The TXT record that a sharing host announces, along with its service's name, addresses and port (requirement
/// row 104). It is not authenticated: anybody on the network can announce anything.
///
/// | key | value |
/// | --- | --- |
/// | `txtvers` | `1`, the first field |
/// | `name` | the host's name for itself, UTF-8 |
/// | `version` | the version of its Heliograph |
/// | `fp` | SHA-256 of its certificate, 64 hexadecimal digits |
/// | `web` | the port of its page for browsers, if it serves one |
/// | `webtls` | present if that page is served by HTTPS |
package struct HostDescription: Hashable, Sendable {
    package static let maximumName = 96
    package static let maximumVersion = 32
    /// The length of a SHA-256 hash, in bytes.
    package static let fingerprintSize = 32

    /// The name as received, which may contain control characters that a terminal would interpret.
    package var name: String?
    /// The version, in printable ASCII.
    package var version: String?
    package var fingerprint: [UInt8]?
    package var webPort: UInt16?
    package var webUsesTLS = false

    package init(
        name: String?, version: String?, fingerprint: [UInt8]?, webPort: UInt16?, webUsesTLS: Bool = false
    ) {
        self.name = name
        self.version = version
        self.fingerprint = fingerprint
        self.webPort = webPort
        self.webUsesTLS = webUsesTLS
    }

    /// Reads a record. A missing `txtvers` counts as version 1; returns `nil` for any other version.
    ///
    /// - Parameter malformed: incremented for each invalid field, which is left out.
    package init?(_ record: TextRecord, malformed: inout Int) {
        if let version = record["txtvers"], version != [UInt8(ascii: "1")] { return nil }
        func read<Value>(_ key: String, _ value: ([UInt8]) -> Value?) -> Value? {
            guard let bytes = record[key] else { return nil }
            if let value = value(bytes) { return value }
            malformed += 1
            return nil
        }
        name = read("name") { bytes in
            (1...Self.maximumName).contains(bytes.count) ? String(validating: bytes, as: UTF8.self) : nil
        }
        version = read("version") { bytes in
            (1...Self.maximumVersion).contains(bytes.count) && bytes.allSatisfy { (0x21...0x7E).contains($0) }
                ? String(decoding: bytes, as: UTF8.self) : nil
        }
        fingerprint = read("fp") { bytes in
            guard bytes.count == 2 * Self.fingerprintSize else { return nil }
            return Hexadecimal.bytes(String(decoding: bytes, as: UTF8.self))
        }
        webPort = read("web") { bytes in
            guard (1...5).contains(bytes.count), bytes.allSatisfy({ (0x30...0x39).contains($0) }),
                let port = UInt16(String(decoding: bytes, as: UTF8.self)), port > 0
            else { return nil }
            return port
        }
        webUsesTLS = record["webtls"] != nil
    }

    /// The TXT record. A field that does not fit is left out.
    package var record: TextRecord {
        var record = TextRecord()
        record.append("txtvers", [UInt8(ascii: "1")])
        if let name { record.append("name", Array(name.utf8)) }
        if let version { record.append("version", Array(version.utf8)) }
        if let fingerprint { record.append("fp", Array(Hexadecimal.text(fingerprint).utf8)) }
        if let webPort { record.append("web", Array("\(webPort)".utf8)) }
        if webUsesTLS { record.append("webtls", [UInt8(ascii: "1")]) }
        return record
    }
}
