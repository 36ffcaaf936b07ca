import HelioCore
import HelioRemoteWire

/// The host's end of one browser's data channels: limits and parses messages, and converts input to inputs to inject.
/// It needs no encryption, as DTLS provides that.
final class WebControlChannel {
    /// A reason for which a browser's data channel drops something, by name.
    enum Drop: String, Sendable, CaseIterable, Hashable {
        case flood
        case wrongChannel = "wrong-channel"
        case notPermitted = "not-permitted"
        case notDriving = "not-driving"
        /// A numbered input that was already executed.
        case repeatedInput = "repeated-input"
        /// A numbered input after a missing one: it will be sent again.
        case inputAfterGap = "input-after-gap"
        /// A malformed numbered input. It counts as executed, so that later ones do not wait for it.
        case unreadableInput = "unreadable-input"
        /// A pointer shape that a newer one replaced before it could be sent.
        case cursorShape = "pointer-shapes"
    }

    /// The result of reading one message.
    enum Reading {
        case message(ViewerMessage)
        /// The message is malformed; this report is sent to the viewer.
        case mistake(RemoteErrorReport)
        case dropped
    }

    private static let burst = 2000
    private static let perSecond = 1000.0

    let number: ViewerNumber
    let name: String
    var allowsControl: Bool
    var receiver: RemoteReceiver
    /// The state of control last sent to the viewer.
    var told: ControlState?
    var drops = DropCounter<Drop>()
    /// The pointer's shape as sent to this viewer.
    var cursor = CursorSender()
    private var malformed = DropCounter<RemoteWireError.Reason>()
    private var budget = TokenBucket(burst: burst, perSecond: perSecond)
    private var requests = RequestGate()
    /// The number of the next input to execute.
    private(set) var nextInput: UInt64 = 0

    init(_ number: ViewerNumber, name: String, allowsControl: Bool, mapper: CoordinateMapper) {
        self.number = number
        self.name = name
        self.allowsControl = allowsControl
        receiver = RemoteReceiver(mapper: mapper)
    }

    func read(_ bytes: [UInt8], _ channel: RemoteChannel, now: Instant) -> Reading {
        receiver.heard(now: now)
        guard budget.take(now: now) else {
            // Answering each message would be a flood, too.
            drops.count(.flood)
            return .dropped
        }
        let message: ViewerMessage
        do throws(RemoteWireError) {
            message = try ViewerMessage(parsing: bytes)
        } catch {
            malformed.count(error.reason)
            return .mistake(error.answer)
        }
        // A message that may be lost or late must be motion, a sign of life, or numbered; on the ordered channel these
        // are accepted, too.
        guard channel == .control || message.channel == .moves || message == .alive else {
            drops.count(.wrongChannel)
            return .mistake(RemoteErrorReport(message: "goes by the channel control", about: message.type))
        }
        return .message(message)
    }

    /// Returns the numbered inputs to execute now, in order: repeated ones are not executed again, and inputs after a
    /// gap wait.
    ///
    /// The budget counts each input once, however often it arrives: an input beyond the budget is not acknowledged, so
    /// it is sent again.
    ///
    /// - Returns: the inputs; `nil` for each malformed one.
    func take(_ numbered: NumberedInputs, now: Instant) -> [ViewerMessage?] {
        let end = numbered.first + UInt64(numbered.inputs.count)
        guard numbered.first <= nextInput else {
            drops.count(.inputAfterGap, numbered.inputs.count)
            return []
        }
        let known = Int(min(nextInput, end) - numbered.first)
        if known > 0 { drops.count(.repeatedInput, known) }
        var taken: [ViewerMessage?] = []
        for input in numbered.inputs.dropFirst(known) {
            // The first input was already counted with its message.
            guard taken.isEmpty || budget.take(now: now) else {
                drops.count(.flood)
                break
            }
            if input == nil { drops.count(.unreadableInput) }
            taken.append(input)
        }
        nextInput += UInt64(taken.count)
        return taken
    }

    /// Returns whether the viewer may ask the driver for control again.
    func mayAsk(now: Instant) -> Bool { requests.pass(now: now) }

    /// Counts of all drops, by name.
    var allDrops: [String: Int] {
        var all: [String: Int] = [:]
        all.add(drops, as: "web-control-")
        all.add(malformed, as: "web-control-")
        all.add(receiver.drops, as: "web-input-")
        return all
    }
}
