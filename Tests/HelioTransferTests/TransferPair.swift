import HelioCore

/// Two ends and the channel between them, on virtual time.
class TransferPair<End: TransferEnd> {
    let a: End
    let b: End
    private(set) var now = Instant.zero
    /// True if the channel delivers messages.
    var isConnected: Bool

    init(_ a: End, _ b: End, isConnected: Bool) {
        (self.a, self.b, self.isConnected) = (a, b, isConnected)
    }

    /// Runs for a time, or until a condition holds.
    ///
    /// - Returns: whether it holds. If not, the whole time has passed.
    @discardableResult
    final func run(_ time: Duration, until done: () -> Bool = { false }) -> Bool {
        let end = now + time
        var steps = 0
        while true {
            settle()
            if done() { return true }
            var times = [a.deadline?.at, b.deadline?.at]
            if isConnected { times += [a.channel.deadline, b.channel.deadline] }
            guard let next = times.compactMap(\.self).min(), next <= end else { break }
            steps = next > now ? 0 : steps + 1
            precondition(steps < 1000, "time does not go on")
            now = max(now, next)
            for one in [a, b] {
                if let due = one.deadline, due.at <= now { one.tick(now: now) }
            }
        }
        now = end
        return done()
    }

    /// Executes everything that takes no time.
    final func settle() {
        var isBusy = true
        while isBusy {
            isBusy = false
            a.drain(now: now)
            b.drain(now: now)
            guard isConnected else { return }
            for (from, to) in [(a, b), (b, a)] {
                while let bytes = from.channel.deliver(now: now) {
                    isBusy = true
                    to.receive(bytes, now: now)
                }
            }
        }
    }
}
