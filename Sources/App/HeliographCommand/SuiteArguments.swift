internal import ArgumentParser
private import Foundation
internal import HelioViewing

/// The protection-suite options of `share` and `view`.
struct SuiteArguments: ParsableArguments {
    static let variable = "HELIOGRAPH_SUITE_KEY"

    @Option(help: "Protect by this suite where the other end does too, such as aes-256-cbc,hmac-sha256 or sm4-cbc,....")
    var suite: String?

    @Option(
        help: ArgumentHelp(
            "File with the suite's keys (key=HEX, iv=HEX, auth-key=HEX), readable by you alone. Or set \(variable).",
            valueName: "file"), completion: .file())
    var suiteKey: String?

    @Option(help: "What the suite protects, a list of video, audio and cmd; all else keeps AES-GCM.")
    var suiteScope = "video,audio,cmd"

    @Flag(help: "End rather than go on without the suite, or with a smaller scope.")
    var suiteRequired = false

    @Flag(help: "Mask the keys that TLS carries, where the other end does too.")
    var suiteMask = false

    func validate() throws {
        try OptionNeed.check(
            "--suite", suite != nil,
            for: [
                ("--suite-key", suiteKey != nil), ("--suite-required", suiteRequired), ("--suite-mask", suiteMask),
            ])
    }

    /// The options of the suite; `nil` if none is wanted.
    func options() throws -> ProtectionOptions? {
        let variable = SecretVariable.take(Self.variable)
        guard let suite else { return nil }
        _ = try ProtectionOptions.parse(suite)
        guard let text = try suiteKey.map({ try PrivateFile.read($0, of: "--suite-key") }) ?? variable else {
            throw ValidationError("--suite \(suite): give its keys by --suite-key FILE, or set \(Self.variable).")
        }
        var options = try ProtectionOptions(suite, keys: ProtectionOptions.Keys(text: text))
        options.scope = try ProtectionOptions.Scope(names: suiteScope)
        options.isRequired = suiteRequired
        options.masksKeys = suiteMask
        return options
    }
}
