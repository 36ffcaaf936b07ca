import HelioCore
import HelioTransfer
import HelioTransferWire

/// One end: a machine, its exchange, and the channel to the other end.
final class ClipboardEnd: TransferEnd {
    var exchange: ClipboardExchange
    var machine = FakeMachine()
    var channel: FakeChannel
    /// True if a clipboard history pastes whatever is offered, and copies it as its own.
    var hasHistory = false
    private var nextPaste: UInt64 = 1
    private var historyPaste: PasteID?
    private(set) var mostBuffered = 0
    /// The last read that the machine's program has not answered.
    private(set) var unanswered: ClipboardReadID?

    init(_ terms: ClipboardTerms, _ settings: ClipboardSettings, _ channel: FakeChannel) {
        exchange = ClipboardExchange(terms: terms, settings: settings, now: .zero)
        self.channel = channel
    }

    func copy(_ content: [ClipboardFormat: [UInt8]], sizes: [ClipboardFormat: Int] = [:], now: Instant) {
        let (serial, entries) = machine.copy(content, sizes: sizes)
        exchange.handle(.clipboard(.changed(serial, entries)), now: now)
    }

    func paste(_ format: ClipboardFormat, now: Instant) -> PasteID {
        let id = PasteID(nextPaste)
        nextPaste += 1
        exchange.handle(.clipboard(.wanted(id, format)), now: now)
        return id
    }

    func result(_ id: PasteID) -> Result<[UInt8], ClipboardFailure>? { machine.pasted[id] }

    var deadline: Deadline? { exchange.deadline }

    func tick(now: Instant) { exchange.tick(now: now) }

    func receive(_ bytes: [UInt8], now: Instant) { exchange.handle(.received(bytes), now: now) }

    /// Executes the exchange's outputs.
    func drain(now: Instant) {
        exchange.handle(.room(channel.room), now: now)
        while let output = exchange.poll() {
            mostBuffered = max(mostBuffered, exchange.bufferedBytes)
            switch output {
            case .send(let bytes): channel.send(bytes, now: now)
            case .clipboard(.offer(let entries)):
                machine.offer(entries)
                if hasHistory, let first = entries.first { historyPaste = paste(first.format, now: now) }
            case .clipboard(.withdraw): machine.withdraw()
            case .clipboard(.read(let format, let serial, let limit, let id)):
                guard let content = machine.read(format, of: serial, limit: limit) else {
                    unanswered = id
                    break
                }
                exchange.handle(.clipboard(.content(id, content)), now: now)
            case .clipboard(.provide(let paste, let content)):
                machine.provide(paste, content)
                if paste == historyPaste, case .success(let bytes) = content { copy([.text: bytes], now: now) }
            }
        }
    }
}
