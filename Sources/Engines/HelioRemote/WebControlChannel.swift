import HelioCore
import HelioRemoteWire

/// The host's end of one browser's data channels: limits what comes, parses it, and turns input into what is to be
/// injected. Nothing is encrypted here: DTLS has done that.
final class WebControlChannel {
    /// A reason for which a browser's data channel throws something away, by name.
    enum Drop: String, Sendable, CaseIterable, Hashable {
        case flood
        case wrongChannel = "wrong-channel"
        case notPermitted = "not-permitted"
        case notDriving = "not-driving"
        /// A numbered input that was done before.
        case repeatedInput = "repeated-input"
        /// A numbered input before which another is missing: it will be sent again.
        case inputAfterGap = "input-after-gap"
        /// A numbered input that can't be read. It counts as done, so that those behind it do not wait for it.
        case unreadableInput = "unreadable-input"
        /// A shape of the pointer that another took the place of before it could be sent.
        case cursorShape = "pointer-shapes"
    }

    /// The result of reading one message.
    enum Reading {
        case message(ViewerMessage)
        /// The message is malformed; the viewer is told this.
        case mistake(RemoteErrorReport)
        case dropped
    }

    private static let burst = 2000
    private static let perSecond = 1000.0

    let number: ViewerNumber
    let name: String
    var allowsControl: Bool
    var receiver: RemoteReceiver
    /// The state of control that the viewer was last told.
    var told: ControlState?
    var drops = DropCounter<Drop>()
    /// The pointer as this viewer is told of it.
    var cursor = CursorSender()
    private var malformed = DropCounter<RemoteWireError.Reason>()
    private var budget = TokenBucket(burst: burst, perSecond: perSecond)
    private var requests = RequestGate()
    /// The number of the first input that was not done.
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
            // An answer to each would be a flood too.
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
        // A message that may be lost or late can't be more than motion, a sign of life or what has numbers; in order,
        // these do no harm.
        guard channel == .control || message.channel == .moves || message == .alive else {
            drops.count(.wrongChannel)
            return .mistake(RemoteErrorReport(message: "goes by the channel control", about: message.type))
        }
        return .message(message)
    }

    /// Takes what of numbered inputs is to be done now, in order: what comes again is not done again, and what comes
    /// behind a gap is waited for.
    ///
    /// The budget counts each input once, however often it comes: what it has no room for now is not acknowledged, so
    /// it comes again.
    ///
    /// - Returns: the inputs; `nil` for each that can't be read.
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
            // The first has been paid for by its message.
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

    /// Returns whether the driver may be asked for control again.
    func mayAsk(now: Instant) -> Bool { requests.pass(now: now) }

    /// Counts of everything that was thrown away, by name.
    var allDrops: [String: Int] {
        var all: [String: Int] = [:]
        all.add(drops, as: "web-control-")
        all.add(malformed, as: "web-control-")
        all.add(receiver.drops, as: "web-input-")
        return all
    }
}
