package import HelioADBWire
package import HelioCore

/// The reason why a phone is not shared, now or for good.
package enum AndroidTrouble: Sendable, Hashable {
    /// The program `adb` is not there.
    case noProgram
    /// adb's server could not be started, with the first line of its complaint.
    case serverFailed(String)
    /// adb's server is too old, or what answers at its port is something else.
    case strangeServer
    case noPhone
    /// The phone with this serial number is not connected.
    case missing(String)
    case severalPhones([String])
    case unauthorized(String)
    case offline(String)
    case noPermissions(String)
    /// The phone is at its boot loader, in recovery or the like.
    case otherMode(String, String)
    /// The phone's Android is older than the server needs; its API level.
    case tooOld(UInt16)
    /// The server could not be written to the phone, with adb's reason.
    case pushFailed(String)
    /// The server on the phone ended or could not start, with its last line.
    case serverEnded(String)
    /// The phone does not answer.
    case silent
    /// The connection to the phone was lost.
    case lost
    case noEncoder
    /// All encodings were refused, with the last reason.
    case encodersRefused(String)
    case captureFailed(String)
    /// adb refused a request for another reason.
    case refused(String)

    /// The reason why a device of adb's list is not ready; `nil` if it is.
    package init?(of device: ADBDevice) {
        switch device.state {
        case .ready: return nil
        case .unauthorized: self = .unauthorized(device.serial)
        case .offline: self = .offline(device.serial)
        case .noPermissions: self = .noPermissions(device.serial)
        case .otherMode(let mode): self = .otherMode(device.serial, mode)
        }
    }

    /// True if the person may end the trouble while the program waits: by a tap on the phone or by plugging it in.
    package var mayEnd: Bool {
        switch self {
        case .noPhone, .missing, .unauthorized, .offline, .otherMode, .silent, .lost, .serverEnded, .refused: true
        default: false
        }
    }

    package var error: HelioError { HelioError(code, message, remedy: remedy) }

    private var code: HelioError.Code {
        switch self {
        case .noEncoder, .encodersRefused: .encoderFailed
        case .captureFailed: .captureFailed
        case .tooOld, .strangeServer: .unsupported
        case .noProgram, .serverFailed, .noPermissions: .systemFailed
        case .severalPhones: .invalidArgument
        case .unauthorized: .refused
        default: .unreachable
        }
    }

    private var remedy: HelioError.Remedy? {
        switch self {
        case .severalPhones, .missing: .nameAndroidPhone
        default: nil
        }
    }

    private var message: String {
        switch self {
        case .noProgram:
            "The program adb is not on this machine. Install Android's platform tools (on Debian and Ubuntu: the package "
                + "adb), or put adb on the path."
        case .serverFailed(let line):
            "adb's server does not start\(Self.quoted(line)). Another program may have its port: end other phone tools."
        case .strangeServer:
            "adb's server does not answer as it should. It may be very old: end it with 'adb kill-server', and install "
                + "current platform tools."
        case .noPhone:
            "No Android phone is connected. Plug one in, with USB debugging switched on in its developer options, or "
                + "connect one with 'adb connect' by Wi-Fi debugging."
        case .missing(let serial): "The phone \(serial) is not connected."
        case .severalPhones(let list): "More than one phone is connected: \(list.joined(separator: ", "))."
        case .unauthorized(let serial):
            "The phone \(serial) has not allowed debugging from this machine: unlock it, and tap 'Allow' in its question. "
                + "If it does not ask, plug it in again, or revoke USB debugging authorisations in its developer options."
        case .offline(let serial):
            "The phone \(serial) does not answer adb. Plug it in again, or switch USB debugging off and on."
        case .noPermissions(let serial):
            "This user may not open the phone \(serial) at USB. Install Android's udev rules (on Debian and Ubuntu: the "
                + "package android-sdk-platform-tools-common), and plug it in again."
        case .otherMode(let serial, let mode): "The phone \(serial) is not running Android, but in the mode '\(mode)'."
        case .tooOld(let sdk): "The phone's Android is too old (API level \(sdk)): 5.0 or newer is needed."
        case .pushFailed(let line): "The phone does not take the server that captures its screen\(Self.quoted(line))."
        case .serverEnded(let line): "The server on the phone has ended\(Self.quoted(line))."
        case .silent: "The phone does not answer any more."
        case .lost: "The connection to the phone was lost."
        case .noEncoder: "The phone has no encoder of the wanted codec."
        case .encodersRefused(let line): "The phone's encoders refuse all sizes and settings\(Self.quoted(line))."
        case .captureFailed(let line): "The phone does not let its screen be captured\(Self.quoted(line))."
        case .refused(let line): "adb refused a request\(Self.quoted(line))."
        }
    }

    private static func quoted(_ line: String) -> String { line.isEmpty ? "" : " ('\(line)')" }
}
