import HelioCore
import HelioRemoteWire

/// The input state of one browser's viewer at the host: executes numbered inputs once and in order, and converts
/// messages to inputs to inject.
final class WebControlChannel: DropCounting {
    /// A reason for which a browser's input is dropped.
    enum Drop: String, Sendable, CaseIterable, Hashable {
        case flood
        case notPermitted = "not-permitted"
        case notDriving = "not-driving"
        /// A numbered input that was already executed.
        case repeatedInput = "repeated-input"
        /// A numbered input whose predecessor is missing; the browser will send both again.
        case inputAfterGap = "input-after-gap"
        /// A malformed numbered input. It counts as executed, so that later inputs do not wait for it.
        case unreadableInput = "unreadable-input"
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
    /// The rate limit of numbered inputs, as one message can have many; `WebMessageReader` limits the rate of messages.
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

    /// Returns the numbered inputs to execute now, in order. Repeated inputs are not executed again, and inputs after a
    /// gap are dropped until the browser sends them again.
    ///
    /// An input counts towards the rate limit once, however often it arrives. An input beyond the limit is not
    /// acknowledged, so the browser sends it again.
    ///
    /// - Returns: the inputs, with `nil` in place of a malformed input.
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
            guard budget.take(now: now) else {
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
    var allDrops: [String: Int] { .sum(drops.named("web-control-"), receiver.drops.named("web-input-")) }
}
