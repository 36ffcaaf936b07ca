/// A finding of the doctor about one part of this machine.
package struct Finding: Sendable, Equatable {
    /// The part that was looked at.
    package enum Check: String, Sendable, CaseIterable {
        case display, encoders, decoders, sound, clipboard, discovery, ports, firewall, rendezvous, clock, keys, devices
        case service, version
    }

    package enum State: String, Sendable {
        case ok
        /// Sharing works, but not with everything.
        case warning
        /// Sharing does not work.
        case fault
    }

    package var check: Check
    package var state: State
    /// The finding, as a sentence without secrets.
    package var text: String
    /// The remedy; `nil` if there is nothing to do.
    package var advice: Advice?

    package init(_ check: Check, _ state: State, _ text: String, advice: Advice? = nil) {
        self.check = check
        self.state = state
        self.text = text
        self.advice = advice
    }

    /// The finding of a check that has not ended in time.
    package static func late(_ check: Check) -> Finding {
        Finding(
            check, .warning, "This took too long to find out.", advice: .sentence("Try again when less is going on."))
    }
}

/// A remedy for a finding; a user interface words it by its own options and commands.
package enum Advice: Sendable, Equatable {
    case sentence(String)
    /// A command of the system's.
    case command(String)
    /// Name a display, or run on the desktop itself.
    case nameDisplay
    /// Have sharing use another port, or end the program that has it.
    case choosePort
    /// Take the URL from the server's operator again.
    case checkRendezvous
    /// Pair a device.
    case pairDevice
    /// Look at the service's log; true for the machine's service.
    case readServiceLog(system: Bool)
    case startService(system: Bool)
}
