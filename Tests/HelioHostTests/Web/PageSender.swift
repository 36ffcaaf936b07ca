import HelioCore
import HelioRemoteWire

/// The timing of the page's sender of numbered inputs: each is sent at once, repeated with each later one, and repeated
/// after 20 ms with doubling intervals (Web/viewer/input/numbered.js).
struct PageSender {
    private var queue: [ViewerMessage] = []
    private var first: UInt64 = 0
    private var sentAt = Instant.zero
    private var backoff = 1

    var isIdle: Bool { queue.isEmpty }
    var deadline: Instant? {
        queue.isEmpty ? nil : sentAt + min(.milliseconds(20) * backoff, .milliseconds(250))
    }

    mutating func send(_ input: ViewerMessage, now: Instant) -> ViewerMessage {
        queue.append(input)
        backoff = 1
        return message(now)
    }

    mutating func repeated(now: Instant) -> ViewerMessage {
        backoff *= 2
        return message(now)
    }

    private mutating func message(_ now: Instant) -> ViewerMessage {
        sentAt = now
        return .inputs(
            NumberedInputs(
                first: first, inputs: Array(queue.prefix(12)), sentAt: UInt64(max(0, now.microseconds / 1000))))
    }

    mutating func done(next: UInt64) {
        guard next > first else { return }
        queue.removeFirst(Int(next - first))
        first = next
        backoff = 1
    }
}
