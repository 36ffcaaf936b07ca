public import HelioCore

/// The options of sharing an Android phone that is connected by adb.
public struct AndroidOptions: Sendable {
    /// The phone's serial number, as `AndroidScreen.phones(_:)` lists it; `nil` for the only one that is connected.
    public var serial: String?
    /// True to switch the phone's own screen off while it is shared. It stays usable by viewers.
    public var switchesScreenOff = false
    /// True to keep the phone awake while somebody watches.
    public var keepsAwake = true
    /// The package name of an app to start, such as `org.example.app`; `nil` for none.
    public var app: String?
    /// The size of a new, virtual display to share instead of the phone's own; `nil` for the phone's own. Needs
    /// Android 10.
    public var newDisplay: PixelSize?
    /// The path of the server that runs on the phone; `nil` to look beside this program, see `serverFileName`.
    public var serverFile: String?
    /// The TCP port of adb's own server on this machine.
    public var adbPort = 5037
    /// The path of the program `adb`, which starts its server; `nil` to look for it.
    public var adbProgram: String?

    /// The name of the file with the server that runs on the phone. It is looked for in the folder of this program, and
    /// in `../share/heliograph`.
    public static let serverFileName = "heliograph-android.jar"

    /// Makes options for the only phone that is connected, as it is.
    public init() {}
}

/// An Android phone that adb knows.
public struct AndroidPhoneEntry: Sendable, Identifiable {
    /// The phone's serial number, or its address by Wi-Fi debugging.
    public var id: String
    /// The phone's model; `nil` if unknown.
    public var model: String?
    /// The reason why the phone can't be shared now, with the remedy; `nil` if it can.
    public var obstacle: HelioError?
}
