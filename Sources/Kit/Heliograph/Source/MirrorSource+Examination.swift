public import HelioCore

extension MirrorSource {
    /// A way to do something on this machine, of several, for a diagnosis.
    public struct Ability: Sendable, Hashable {
        /// The name by which an option chooses it.
        public let name: String
        /// True if it works here.
        public let isUsable: Bool
        /// The description, or the reason why it can't be used: a phrase without a full stop.
        public let detail: String
        /// True if it is a part of the hardware.
        public let isHardware: Bool
    }

    /// The ways to capture the screen, the preferred ones first; empty on systems that have only one way.
    public static func captureAbilities(display: String? = nil) -> [Ability] {
        systemSource.captures(display: display).map {
            Ability(name: $0.name, isUsable: $0.isUsable, detail: $0.reason, isHardware: false)
        }
    }

    /// The video encoders, each tried with a test picture.
    public static func encoderAbilities() -> [Ability] {
        systemSource.encoders().map {
            Ability(
                name: $0.name, isUsable: $0.isUsable, detail: "\($0.codec.rawValue), \($0.reason)",
                isHardware: $0.isHardware)
        }
    }

    /// The monitors of the screen that would be shared, by name and size. Throws the error that sharing would end with.
    public static func examineScreen(display: String? = nil) throws(HelioError) -> [String] {
        let platform = try systemSource.capturing(by: nil)
        return try platform.monitors(display: display).map { "\($0.name) \($0.rect.width)x\($0.rect.height)" }
    }

    /// The names of the devices whose sound would be shared. Throws if this machine's sound can't be captured.
    public static func examineSound() throws(HelioError) -> [String] {
        guard let platform = systemSource.sound else {
            throw HelioError(.unsupported, "Sound can't be captured on this system.")
        }
        return try platform.captureDevices(of: .system).map(\.name)
    }

    /// Opens the clipboard that would be shared, and closes it again; returns false if there is none. Throws if it
    /// can't be opened.
    public static func examineClipboard(display: String? = nil) throws(HelioError) -> Bool {
        let clipboard = try systemSource.openClipboard(display: display, marked: false) { _ in }
        clipboard?.stop()
        return clipboard != nil
    }
}
