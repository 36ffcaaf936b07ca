import HelioCore
import HelioTransfer
import HelioTransferWire

/// Two ends and the channel between them, on virtual time.
final class FilePair {
    let a: FileEnd
    private(set) var b: FileEnd
    private(set) var now = Instant.zero
    private let settings: FileSettings
    private let fresh: FakeChannel
    private(set) var isConnected = false
    private(set) var cuts = 0

    init(
        b permission: FilePermission = .ask, settings: FileSettings = FileSettings(), rate: Int = 100_000_000,
        delay: Duration = .milliseconds(1), connects: Bool = true
    ) {
        self.settings = settings
        fresh = FakeChannel(rate: rate, delay: delay)
        a = FileEnd(.ask, settings, fresh)
        b = FileEnd(permission, settings, fresh)
        if connects { connect() }
    }

    func connect() {
        (a.channel, b.channel) = (fresh, fresh)
        isConnected = true
        a.exchange.handle(.opened, now: now)
        b.exchange.handle(.opened, now: now)
    }

    /// What is on its way is lost.
    func cut() {
        cuts += 1
        isConnected = false
        a.exchange.handle(.closed, now: now)
        b.exchange.handle(.closed, now: now)
        settle()
    }

    /// Runs for a while, or until something holds.
    @discardableResult
    func run(_ time: Duration = .seconds(10), until done: () -> Bool = { false }) -> Bool {
        let end = now + time
        var steps = 0
        while true {
            settle()
            if done() { return true }
            var times = [a.exchange.deadline?.at, b.exchange.deadline?.at]
            if isConnected { times += [a.channel.deadline, b.channel.deadline] }
            guard let next = times.compactMap({ $0 }).min(), next <= end else { break }
            steps = next > now ? 0 : steps + 1
            precondition(steps < 1000, "time does not go on")
            now = max(now, next)
            if let due = a.exchange.deadline, due.at <= now { a.exchange.tick(now: now) }
            if let due = b.exchange.deadline, due.at <= now { b.exchange.tick(now: now) }
        }
        now = end
        return done()
    }

    private func settle() {
        var isBusy = true
        while isBusy {
            isBusy = false
            a.drain(now: now)
            b.drain(now: now)
            guard isConnected else { return }
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
