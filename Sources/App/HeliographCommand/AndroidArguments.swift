internal import ArgumentParser
private import Foundation
private import HelioCore
internal import Heliograph

/// The options of `heliograph share` for an Android phone.
struct AndroidArguments: ParsableArguments {
    @Option(
        defaultAsFlag: "",
        help: ArgumentHelp(
            """
            Share the screen of an Android phone, on a cable with USB debugging or by Wi-Fi debugging, instead of this \
            machine's. Nothing is installed on it. Needs adb. SERIAL, as in --list-android, if there is more than one.
            """,
            valueName: "serial"))
    var android: String?

    @Flag(help: "List the Android phones that adb knows, and why each can or can't be shared.")
    var listAndroid = false

    @Flag(help: "With --android: tell what the phone's encoders can do and how fast they react, and end.")
    var androidDiagnose = false

    @Flag(help: "With --android: switch the phone's own screen off while it is shared.")
    var androidScreenOff = false

    @Option(help: ArgumentHelp("With --android: start this app, such as org.example.app.", valueName: "package"))
    var androidApp: String?

    @Option(
        help: ArgumentHelp(
            "With --android: share a new display of this size, such as 1920x1080, instead of the phone's own.",
            valueName: "size"))
    var androidDisplay: String?

    @Option(
        help: ArgumentHelp(
            "With --android: the server for the phone. Default: \(AndroidOptions.serverFileName) beside this program.",
            valueName: "file"), completion: .file())
    var androidServer: String?

    func validate() throws {
        try OptionNeed.check(
            "--android", android != nil,
            for: [
                ("--android-diagnose", androidDiagnose), ("--android-screen-off", androidScreenOff),
                ("--android-app", androidApp != nil), ("--android-display", androidDisplay != nil),
                ("--android-server", androidServer != nil),
            ])
        // The name is part of a command on the phone.
        let isName = androidApp?.utf8.allSatisfy { Self.nameCharacters.contains($0) } ?? true
        if !isName || androidApp == "" {
            throw ValidationError("--android-app: give the name of a package, such as org.example.app.")
        }
        _ = try androidDisplay.map { try SizeArgument.parse($0, of: "--android-display") }
    }

    private static let nameCharacters = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._".utf8)

    /// The options for the phone; `nil` without `--android`.
    func options() throws -> AndroidOptions? {
        guard let android else { return nil }
        var options = common
        options.serial = android.isEmpty ? nil : android
        options.switchesScreenOff = androidScreenOff
        options.app = androidApp
        options.newDisplay = try androidDisplay.map { try SizeArgument.parse($0, of: "--android-display") }
        options.serverFile = androidServer
        return options
    }

    /// The options by which adb's server is found: its port is that of the variable that adb itself obeys.
    private var common: AndroidOptions {
        var options = AndroidOptions()
        if let port = ProcessInfo.processInfo.environment["ANDROID_ADB_SERVER_PORT"].flatMap({ Int($0) }),
            (1...65535).contains(port)
        {
            options.adbPort = port
        }
        return options
    }

    /// Prints the phones that adb knows.
    func list() async throws {
        let phones = try await AndroidScreen.phones(common)
        if phones.isEmpty {
            say("No phone is connected. Plug one in with USB debugging on, or connect it with 'adb connect'.")
        }
        for phone in phones {
            let name = phone.model.map { "\(phone.id) (\($0))" } ?? phone.id
            say(phone.obstacle.map { "\(name): \($0.message)" } ?? "\(name): ready")
        }
    }
}
