import Dispatch
import HelioCore
import HelioLinuxClipboard
import HelioTestPrograms
import HelioTransfer
import HelioTransferWire

/// One of two connected displays: its clipboard, its exchange, and the driver's work for both.
///
/// The exchange runs on one queue; messages of the other end arrive in order.
final class ClipboardLink: @unchecked Sendable {
    private let queue = DispatchQueue(label: "clipboard")
    private var exchange: ClipboardExchange
    private var clipboard: X11Clipboard?
    private weak var other: ClipboardLink?
    private var alarm = 0

    init(_ display: String) throws {
        let terms = ClipboardTerms(maySend: true, mayReceive: true, mostBytes: ClipboardSettings.usualLimit)
        exchange = ClipboardExchange(terms: terms, now: .now)
        clipboard = try X11Clipboard(display: display) { [weak self] in self?.handle(.clipboard($0)) }
    }

    deinit { clipboard?.stop() }

    static func join(_ a: ClipboardLink, _ b: ClipboardLink) {
        a.queue.sync { a.other = b }
        b.queue.sync { b.other = a }
        a.handle(.room(64 * 1024))
        b.handle(.room(64 * 1024))
    }

    var statistics: ClipboardStatistics { queue.sync { exchange.statistics } }

    private func handle(_ input: ClipboardExchange.Input) {
        queue.async { [self] in
            exchange.handle(input, now: .now)
            drain()
        }
    }

    private func drain() {
        while let output = exchange.poll() {
            switch output {
            case .send(let bytes):
                other?.handle(.received(bytes))
                exchange.handle(.room(64 * 1024), now: .now)
            case .clipboard(let order): clipboard?.carryOut(order)
            }
        }
        guard let due = exchange.deadline else { return }
        alarm += 1
        let number = alarm
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(max(0, (due.at - .now).nanoseconds)))) { [weak self] in
            guard let self, number == alarm else { return }
            exchange.tick(now: .now)
            drain()
        }
    }
}
