internal import HelioTerminal
internal import Heliograph

/// Prints the event lines of `heliograph share`, each with the time and a mark in front.
enum ShareNews {
    /// The mark of a line, which shows the type of event.
    enum Mark: String {
        case came = "+"
        case left = "-"
        case refused = "!"
        case other = " "
    }

    /// Prints one event for the user: the time of day, the mark (red for a refusal) and the text.
    static func tell(_ mark: Mark = .other, _ text: String) {
        var line = TerminalText("\(LocalTime.now) ", .dim)
        line += TerminalText("\(mark.rawValue) ", mark == .refused ? .red : .bold)
        say(line + TerminalText(text))
    }

    /// Returns a viewer's name and address, or the address alone.
    static func who(_ address: String, _ device: String?) -> String { device.map { "\($0) (\(address))" } ?? address }

    /// Returns the reason why a viewer was refused, as a sentence.
    ///
    /// - Parameter reason: the refusal's name in the protocol.
    static func refusal(of address: String, _ reason: String) -> String {
        switch reason {
        case "wrong-proof": "Somebody at \(address) tried a wrong link or code."
        case "link-used": "Somebody at \(address) tried a link that was used already."
        case "unknown-device": "Somebody at \(address) came by a pairing that this machine does not know, or no longer."
        case "outside-hours": "A paired device at \(address) came outside its hours: see 'heliograph devices'."
        case "paired-only": "Somebody at \(address) tried a link. Only paired devices are let in: --paired-only."
        case "too-many-tries": "Somebody at \(address) has tried too often, and has to wait a minute."
        case "too-many-viewers": "\(address) was not let in: there are as many viewers as there may be."
        case "suite-required":
            "\(address) was not let in: one end wants a suite (--suite) that the other does not have."
        case "suite-key-differs": "\(address) was not let in: the keys of the suite differ (--suite-key)."
        case "other-certificate": "\(address) was not let in: its connection is not the one that its proof was for."
        case "wrong-credentials": "A player at \(address) gave a wrong name or password."
        default: "\(address) was not let in: \(reason)."
        }
    }

    /// Returns the reason why a device was not paired, as a sentence.
    static func pairingRefusal(of address: String, _ reason: String) -> String {
        switch reason {
        case "pairing-off":
            "Somebody at \(address) wanted to pair. Nobody can be asked here: see --pair-code-file."
        case "pairing-busy": "Somebody at \(address) wanted to pair while another was asking."
        case "pairing-too-many-tries": "Somebody at \(address) has tried to pair too often, and has to wait."
        case "pairing-too-many-devices":
            "\(address) was not paired: this machine knows as many devices as it can. 'heliograph devices revoke' makes "
                + "room."
        case "pairing-wrong-code": "Somebody at \(address) tried a wrong code for pairing."
        case "pairing-denied": "\(address) was not paired: somebody said no."
        case "pairing-timed-out": "\(address) was not paired: nobody answered in time."
        case "pairing-mismatch": "\(address) was not paired: somebody may be in between."
        default: "\(address) was not paired: what it sent makes no sense (\(reason))."
        }
    }
}
