import HelioCore
import HelioTransfer
import HelioTransferWire

/// Two ends and the channel between them, on virtual time.
final class ClipboardPair {
    let a: ClipboardEnd
    let b: ClipboardEnd
    private(set) var now = Instant.zero

    static let all = ClipboardTerms(maySend: true, mayReceive: true, mostBytes: ClipboardSettings.usualLimit)

    init(
        a: ClipboardTerms = all, b: ClipboardTerms = all, settings: ClipboardSettings = ClipboardSettings(),
        rate: Int = 10_000_000, delay: Duration = .milliseconds(5)
    ) {
        let channel = FakeChannel(rate: rate, delay: delay)
        self.a = ClipboardEnd(a, settings, channel)
        self.b = ClipboardEnd(b, settings, channel)
        settle()
    }

    /// Runs for a while; time stands there afterwards.
    func run(_ time: Duration = .seconds(1)) {
        let end = now + time
        var steps = 0
        while true {
            settle()
            let times = [
                a.channel.deadline, b.channel.deadline, a.exchange.deadline?.at, b.exchange.deadline?.at,
            ].compactMap { $0 }
            guard let next = times.min(), next <= end else { break }
            steps = next > now ? 0 : steps + 1
            precondition(steps < 1000, "time does not go on")
            now = max(now, next)
            if let due = a.exchange.deadline, due.at <= now { a.exchange.tick(now: now) }
            if let due = b.exchange.deadline, due.at <= now { b.exchange.tick(now: now) }
        }
        now = end
    }

    /// Runs until a paste has come to something, but not for ever.
    func finish(_ paste: PasteID, of end: ClipboardEnd) -> Result<[UInt8], ClipboardFailure>? {
        for _ in 0..<100_000 where end.result(paste) == nil { run(.milliseconds(10)) }
        return end.result(paste)
    }

    private func settle() {
        var isBusy = true
        while isBusy {
            isBusy = false
            a.drain(now: now)
            b.drain(now: now)
            while let bytes = a.channel.deliver(now: now) {
                isBusy = true
                b.exchange.handle(.received(bytes), now: now)
            }
            while let bytes = b.channel.deliver(now: now) {
                isBusy = true
                a.exchange.handle(.received(bytes), now: now)
            }
        }
    }
}
