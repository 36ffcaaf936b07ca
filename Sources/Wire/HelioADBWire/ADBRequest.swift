private import HelioCore

/// A request to adb's own server, which listens on TCP port 5037 of the machine that the phones are plugged into.
///
/// ```
/// | length 4, hexadecimal digits | text |
/// ```
///
/// The server answers with `OKAY` or `FAIL`, see `ADBStatus`. After `transport` the connection is tied to one device,
/// and the next request goes to that device; after a service of the device is accepted, the connection carries that
/// service's raw bytes. Source: AOSP, platform/packages/modules/adb, OVERVIEW.TXT and SERVICES.TXT.
package enum ADBRequest: Sendable, Hashable {
    /// Asks for the server's internal version; the answer is a block of 4 hexadecimal digits.
    case version
    /// Asks for the list of devices, with their attributes; the answer is one block.
    case devices
    /// Asks for the list of devices now and after each change: a block each, until the connection closes.
    case trackDevices
    /// Ties the connection to the device with this serial number.
    case transport(serial: String)
    /// Runs a command on the device; standard input, output and errors are the connection's raw bytes. Devices have
    /// this service since Android 5.
    case run(String)
    /// Begins a transfer of files, see `ADBSync`.
    case sync
    /// Connects to an abstract Unix socket of the device.
    case abstractSocket(String)

    /// The longest text that the four digits allow, less room for adb's own additions, in bytes.
    package static let longest = 4096

    package var text: String {
        switch self {
        case .version: "host:version"
        case .devices: "host:devices-l"
        case .trackDevices: "host:track-devices"
        case .transport(let serial): "host:transport:\(serial)"
        case .run(let command): "exec:\(command)"
        case .sync: "sync:"
        case .abstractSocket(let name): "localabstract:\(name)"
        }
    }

    /// The request's bytes; `nil` if its text is longer than `longest`.
    package var serialised: [UInt8]? {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.longest else { return nil }
        return ADBHexadecimal.digits(of: bytes.count) + bytes
    }
}
