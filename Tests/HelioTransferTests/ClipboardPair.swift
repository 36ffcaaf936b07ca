import HelioCore
import HelioTransfer
import HelioTransferWire

/// Two clipboards, and the channel between them.
final class ClipboardPair: TransferPair<ClipboardEnd> {
    static let all = ClipboardTerms(maySend: true, mayReceive: true, mostBytes: ClipboardSettings.usualLimit)

    init(
        a: ClipboardTerms = all, b: ClipboardTerms = all, settings: ClipboardSettings = ClipboardSettings(),
        rate: Int = 10_000_000, delay: Duration = .milliseconds(5)
    ) {
        let channel = FakeChannel(rate: rate, delay: delay)
        super.init(ClipboardEnd(a, settings, channel), ClipboardEnd(b, settings, channel), isConnected: true)
        settle()
    }

    /// Runs for a second, in which few steps are due.
    func run() { run(.seconds(1)) }

    /// Runs until a paste has a result, up to a limit.
    func finish(_ paste: PasteID, of end: ClipboardEnd) -> Result<[UInt8], ClipboardFailure>? {
        for _ in 0..<100_000 where end.result(paste) == nil { run(.milliseconds(10)) }
        return end.result(paste)
    }
}
