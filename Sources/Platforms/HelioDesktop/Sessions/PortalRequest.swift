import HelioCore
import HelioDBusWire
import HelioGround

/// A request to the portal: a call whose result comes later, by a signal of an object of its own
/// (org.freedesktop.portal.Request).
struct PortalRequest {
    enum Outcome: Sendable {
        case granted([String: DBusValue])
        /// The person has refused.
        case refused
        /// The dialogue has ended otherwise: closed, or failed.
        case ended
    }

    static let service = "org.freedesktop.portal.Desktop"
    static let object = "/org/freedesktop/portal/desktop"

    let bus: BusConnection

    /// Calls a method and waits for its result.
    ///
    /// - Parameters:
    ///   - arguments: what goes before the options.
    ///   - patience: the time for the result, in which a person may have to answer.
    func call(
        _ interface: String, _ member: String, _ arguments: [DBusValue], _ options: [String: DBusValue],
        within patience: Duration
    ) throws(BusFailure) -> Outcome {
        let token = Self.token()
        // Known before the call, so that the signal can't come too early.
        let sender = bus.name.dropFirst().replacing(".", with: "_")
        let path = "\(Self.object)/request/\(sender)/\(token)"
        let outcome = ThreadMailbox<Outcome?>(nil)
        let subscription = try bus.listen(
            to: "org.freedesktop.portal.Request", path: path,
            ended: { outcome.put { $0 = $0 ?? .ended } },
            { message in
                guard message.member == "Response" else { return }
                let result = Self.outcome(message)
                outcome.put { $0 = $0 ?? result }
            })
        defer { withExtendedLifetime(subscription) {} }
        var options = options
        options["handle_token"] = .string(token)
        let until = MonotonicClock.now + patience
        try bus.call(
            .call(
                Self.service, Self.object, "org.freedesktop.portal." + interface, member,
                arguments + [.options(options)]))
        guard let result = outcome.take(until: until, { $0 }) else {
            // The dialogue would stay on the screen.
            bus.post(.call(Self.service, path, "org.freedesktop.portal.Request", "Close"))
            throw BusFailure(BusFailure.timedOut, "nobody has answered the desktop's question")
        }
        return result
    }

    private static func outcome(_ message: DBusMessage) -> Outcome {
        guard let arguments = try? message.arguments(), arguments.count >= 2, let code = arguments[0].number else {
            return .ended
        }
        return switch code {
        case 0: .granted(arguments[1].dictionary)
        case 1: .refused
        default: .ended
        }
    }

    /// A name that no other program guesses.
    static func token() -> String {
        var random = SystemRandomNumberGenerator()
        return "heliograph_" + String(UInt64.random(in: .min ... .max, using: &random), radix: 16)
    }
}
