import HelioCore
import HelioTransfer
import HelioTransferWire
import Testing

/// A clipboard peer that sends arbitrary messages.
struct HostilePeerTests {
    /// An exchange whose peer is played by the test.
    private struct Victim: ~Copyable {
        var exchange: ClipboardExchange
        var now = Instant.zero
        var machine = FakeMachine()
        var sent: [TransferMessage] = []

        init(mostBytes: UInt32 = 1 << 20, settings: ClipboardSettings = ClipboardSettings()) {
            let terms = ClipboardTerms(maySend: true, mayReceive: true, mostBytes: mostBytes)
            exchange = ClipboardExchange(terms: terms, settings: settings, now: .zero)
            take(.terms(.init(maySend: true, mayReceive: true, mostBytes: .max)))
        }

        mutating func take(_ message: TransferMessage) { handle(.received(message.serialised())) }

        mutating func handle(_ input: ClipboardExchange.Input) {
            exchange.handle(input, now: now)
            drain()
        }

        mutating func run(_ time: Duration) {
            let end = now + time
            while let due = exchange.deadline, due.at <= end {
                now = max(now, due.at)
                exchange.tick(now: now)
                drain()
            }
            now = end
        }

        mutating func drain() {
            exchange.handle(.room(64 * 1024), now: now)
            while let output = exchange.poll() {
                switch output {
                case .send(let bytes):
                    if let message = try? TransferMessage(parsing: bytes.span.bytes) { sent.append(message) }
                    exchange.handle(.room(64 * 1024), now: now)
                case .clipboard(.offer(let entries)): machine.offer(entries)
                case .clipboard(.withdraw): machine.withdraw()
                case .clipboard(.read(let format, let serial, let limit, let id)):
                    if let content = machine.read(format, of: serial, limit: limit) {
                        exchange.handle(.clipboard(.content(id, content)), now: now)
                    }
                case .clipboard(.provide(let paste, let content)): machine.provide(paste, content)
                }
            }
        }

        mutating func copy(_ content: [ClipboardFormat: [UInt8]]) {
            let (serial, entries) = machine.copy(content)
            handle(.clipboard(.changed(serial, entries)))
        }

        /// The serial of the newest offer.
        var offered: UInt32? {
            for case .offer(let offer) in sent.reversed() { return offer.serial }
            return nil
        }

        func drops(_ drop: ClipboardDrop) -> Int { exchange.statistics.drops[drop] }
    }

    private static let entries = [ClipboardEntry(.text), ClipboardEntry(.png)]
    private static let piece = [UInt8](repeating: 65, count: TransferMessage.mostData)

    @Test func endlessOffersAreShownNowAndThen() {
        var victim = Victim()
        for serial in 0..<10_000 as Range<UInt32> {
            victim.take(.offer(.init(serial: serial, entries: Self.entries)))
            if serial % 100 == 0 { victim.run(.milliseconds(1)) }
        }
        victim.run(.seconds(1))
        // A tenth of a second has passed.
        #expect((2...3).contains(victim.machine.offers))
        #expect(victim.machine.offers + victim.drops(.offerReplaced) == 10_000)
    }

    /// A peer that announces little and sends without end.
    @Test func moreThanTheCreditEndsTheTransfer() {
        var victim = Victim()
        victim.take(.offer(.init(serial: 1, entries: [.init(.text, size: 5)])))
        victim.handle(.clipboard(.wanted(PasteID(1), .text)))
        let id = TransferID(1)
        #expect(victim.sent.contains(.request(id, serial: 1, .text)))
        #expect(victim.sent.contains(.credit(id, total: 64 * 1024)))
        for _ in 0..<1000 {
            victim.take(.data(id, isLast: false, Self.piece))
            #expect(victim.exchange.bufferedBytes <= 1 << 20)
            if victim.machine.pasted[PasteID(1)] != nil { break }
        }
        // It was given more credit as data arrived: the limit ends the transfer.
        #expect(victim.machine.pasted[PasteID(1)] == .failure(.failed))
        #expect(victim.drops(.overCredit) == 1 && victim.exchange.bufferedBytes == 0)
        #expect(victim.sent.last == .cancel(id))
        victim.take(.data(id, isLast: false, Self.piece))
        #expect(victim.drops(.lateData) == 1)
    }

    @Test func oneByteTooManyIsTooLarge() {
        var victim = Victim(mostBytes: 16 * 1024)
        victim.take(.offer(.init(serial: 1, entries: [.init(.text, size: 5)])))
        victim.handle(.clipboard(.wanted(PasteID(1), .text)))
        victim.take(.data(TransferID(1), isLast: false, Self.piece))
        victim.take(.data(TransferID(1), isLast: true, [65]))
        #expect(victim.machine.pasted[PasteID(1)] == .failure(.tooLarge))
    }

    @Test func lyingSizesAreNotOffered() {
        var victim = Victim()
        victim.take(.offer(.init(serial: 1, entries: [.init(.text, size: Int(UInt32.max) - 1), .init(.png)])))
        #expect(victim.machine.offered == [ClipboardEntry(.png)])
        #expect(victim.drops(.formatTooLarge) == 1)
    }

    @Test func dataThatNobodyAskedForIsDropped() {
        var victim = Victim()
        victim.take(.data(TransferID(77), isLast: true, Self.piece))
        victim.take(.refuse(TransferID(1), .gone))
        #expect(victim.drops(.unknownTransfer) == 2)
        victim.take(.cancel(TransferID(1)))
        victim.take(.credit(TransferID(1), total: .max))
        #expect(victim.drops(.lateAnswer) == 2)
        #expect(victim.exchange.bufferedBytes == 0 && victim.exchange.deadline == nil)
        #expect(victim.machine.pasted.isEmpty)
    }

    @Test func creditsThatGoBackAreIgnored() {
        var victim = Victim()
        victim.copy([.text: [UInt8](repeating: 65, count: 100_000)])
        let id = TransferID(5)
        victim.take(.request(id, serial: victim.offered!, .text))
        victim.take(.credit(id, total: 20_000))
        victim.take(.credit(id, total: 10))
        #expect(victim.drops(.creditWentBack) == 1)
        victim.take(.credit(id, total: .max))
        let content = victim.sent.reduce(0) { sum, message in
            if case .data(id, _, let bytes) = message { sum + bytes.count } else { sum }
        }
        #expect(content == 100_000)
    }

    /// A peer that ignores the new terms.
    @Test func onceItIsSwitchedOffNothingMoreGoes() {
        var victim = Victim()
        victim.copy([.text: [UInt8](repeating: 65, count: 100_000)])
        let (id, serial) = (TransferID(5), victim.offered!)
        victim.take(.request(id, serial: serial, .text))
        victim.take(.credit(id, total: 20_000))
        victim.handle(.terms(.nothing))
        #expect(victim.sent.contains(.refuse(id, .notAllowed)))
        #expect(victim.exchange.bufferedBytes == 0)
        let count = victim.sent.count
        victim.take(.credit(id, total: .max))
        victim.take(.request(TransferID(6), serial: serial, .text))
        #expect(victim.sent.dropFirst(count) == [.refuse(TransferID(6), .notAllowed)])
        victim.take(.offer(.init(serial: 1, entries: Self.entries)))
        #expect(victim.machine.offers == 0 && victim.drops(.offerNotAllowed) == 1)
    }

    /// Credit byte by byte keeps a transfer going, but not for ever.
    @Test func aTricklingReceiverIsEndedAtLast() {
        var victim = Victim()
        victim.copy([.text: [UInt8](repeating: 65, count: 100_000)])
        let id = TransferID(5)
        victim.take(.request(id, serial: victim.offered!, .text))
        for total in 1...43 as ClosedRange<UInt32> {
            victim.take(.credit(id, total: total))
            victim.run(.seconds(14))
        }
        #expect(victim.drops(.timedOut) == 1)
        #expect(victim.exchange.bufferedBytes == 0 && victim.exchange.deadline == nil)
    }

    @Test func endlessRequestsReadFourTimesAtOnce() {
        var victim = Victim()
        victim.machine.isSilent = true
        victim.copy([.text: [65]])
        let serial = victim.offered!
        for number in 0..<10_000 as Range<UInt32> { victim.take(.request(TransferID(number), serial: serial, .text)) }
        #expect(victim.machine.reads == 4)
        #expect(victim.drops(.requestBusy) == 9996)
        // Cancelled requests use up their slots until they are read.
        for number in 0..<4 as Range<UInt32> { victim.take(.cancel(TransferID(number))) }
        victim.take(.request(TransferID(20_000), serial: serial, .text))
        #expect(victim.machine.reads == 4)
        victim.run(.seconds(20))
        #expect(victim.exchange.deadline == nil)
        victim.take(.request(TransferID(20_001), serial: serial, .text))
        #expect(victim.machine.reads == 5)
    }

    @Test func requestsOfWhatWasNeverOfferedAreRefused() {
        var victim = Victim()
        victim.take(.request(TransferID(1), serial: 0, .text))
        victim.copy([.text: [65]])
        let serial = victim.offered!
        victim.take(.request(TransferID(2), serial: serial &+ 1, .text))
        victim.take(.request(TransferID(3), serial: serial, .png))
        #expect(victim.sent.suffix(2) == [.refuse(TransferID(2), .gone), .refuse(TransferID(3), .gone)])
        #expect(victim.sent.contains(.refuse(TransferID(1), .gone)))
        victim.machine.isSilent = true
        victim.take(.request(TransferID(4), serial: serial, .text))
        victim.take(.request(TransferID(4), serial: serial, .text))
        #expect(victim.drops(.requestTwice) == 1 && victim.machine.reads == 1)
    }

    /// A peer that sends requests without end, and never reads.
    @Test func answersThatNobodyTakesHaveABound() {
        let terms = ClipboardTerms(maySend: true, mayReceive: true, mostBytes: 1000)
        var exchange = ClipboardExchange(terms: terms, now: .zero)
        for number in 0..<100_000 as Range<UInt32> {
            let request = TransferMessage.request(TransferID(number), serial: 0, .text)
            exchange.handle(.received(request.serialised()), now: .zero)
            let hasOutput = exchange.poll() != nil
            #expect(!hasOutput)
        }
        #expect(exchange.statistics.drops[.answerDropped] == 100_000 - 64)
    }

    @Test func junkIsCounted() {
        var victim = Victim()
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<10_000 {
            let count = Int.random(in: 0...40, using: &generator)
            victim.handle(.received((0..<count).map { _ in UInt8.random(in: 0...20, using: &generator) }))
        }
        victim.handle(.received([UInt8](repeating: 4, count: 1 << 20)))
        victim.run(.seconds(700))
        #expect(victim.drops(.malformed) > 5000)
        #expect(victim.exchange.bufferedBytes == 0 && victim.exchange.deadline == nil)
    }

    @Test func whatIsNotWhatItSaysIsNotPasted() {
        var victim = Victim()
        victim.take(.offer(.init(serial: 1, entries: Self.entries)))
        victim.handle(.clipboard(.wanted(PasteID(1), .text)))
        victim.handle(.clipboard(.wanted(PasteID(2), .png)))
        victim.take(.data(TransferID(1), isLast: true, [0x41, 0xC0, 0x80]))
        victim.take(.data(TransferID(2), isLast: true, TestContent.png(64, width: 20_000)))
        #expect(victim.machine.pasted == [PasteID(1): .failure(.invalid), PasteID(2): .failure(.invalid)])
    }

    @Test func aPeerThatStopsIsLeft() {
        var victim = Victim()
        victim.take(.offer(.init(serial: 1, entries: Self.entries)))
        victim.handle(.clipboard(.wanted(PasteID(1), .text)))
        victim.take(.data(TransferID(1), isLast: false, [65]))
        victim.run(.seconds(16))
        #expect(victim.machine.pasted[PasteID(1)] == .failure(.timedOut))
        #expect(victim.exchange.bufferedBytes == 0)
    }
}
