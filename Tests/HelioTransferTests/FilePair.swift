import HelioCore
import HelioTransfer
import HelioTransferWire

/// Two disks, and the channel between them, which can be cut.
final class FilePair: TransferPair<FileEnd> {
    private let fresh: FakeChannel

    init(
        b permission: FilePermission = .ask, settings: FileSettings = FileSettings(), rate: Int = 100_000_000,
        delay: Duration = .milliseconds(1), connects: Bool = true
    ) {
        fresh = FakeChannel(rate: rate, delay: delay)
        super.init(FileEnd(.ask, settings, fresh), FileEnd(permission, settings, fresh), isConnected: false)
        if connects { connect() }
    }

    func connect() {
        (a.channel, b.channel) = (fresh, fresh)
        isConnected = true
        a.exchange.handle(.opened, now: now)
        b.exchange.handle(.opened, now: now)
    }

    /// Cuts the channel; data in transit is lost.
    func cut() {
        isConnected = false
        a.exchange.handle(.closed, now: now)
        b.exchange.handle(.closed, now: now)
        settle()
    }

    /// Runs until a condition holds, for ten seconds at most.
    func run(until done: () -> Bool) -> Bool { run(.seconds(10), until: done) }
}
