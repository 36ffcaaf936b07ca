import HelioCore
import HelioTransfer
import HelioTransferWire
import Testing

/// The file exchange of one end whose peer sends arbitrary messages.
struct HostileFilesTests {
    private struct Victim: ~Copyable {
        var exchange: FileExchange
        let disk = FakeDisk()
        var now = Instant.zero
        var sent: [FileMessage] = []
        var questions: [FileQuestion] = []
        var ends: [BatchOutcome] = []
        var consent: Bool? = true
        var room = 64 * 1024
        var mostBuffered = 0

        init(_ permission: FilePermission = .ask, settings: FileSettings = FileSettings()) {
            exchange = FileExchange(permission: permission, settings: settings, hash: SampledHash(), now: .zero)
            handle(.opened)
        }

        mutating func take(_ message: FileMessage) { handle(.received(message.serialised())) }

        mutating func handle(_ input: FileExchange.Input) {
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
            exchange.handle(.room(room), now: now)
            while let output = exchange.poll() {
                switch output {
                case .send(let bytes):
                    if let message = try? FileMessage(parsing: bytes.span.bytes) { sent.append(message) }
                    exchange.handle(.room(room), now: now)
                case .disk(let command):
                    if let reply = disk.perform(command) { exchange.handle(.disk(reply), now: now) }
                case .ask(let question):
                    questions.append(question)
                    if let consent { exchange.handle(.answer(question.batch, accepts: consent), now: now) }
                case .over(let outcome): ends.append(outcome)
                case .unask, .taken, .progress, .file: break
                }
                mostBuffered = max(mostBuffered, exchange.bufferedBytes)
            }
        }

        func drops(_ drop: FileDrop) -> Int { exchange.statistics.drops[drop] }
    }

    private static let batch = BatchID(5)
    private static let piece = [UInt8](repeating: 65, count: FileMessage.mostData)

    private static func offer(_ batch: BatchID = batch, count: UInt32 = 2, bytes: UInt64 = 1000) -> FileMessage {
        .offer(FileOffer(batch, count: count, bytes: bytes, name: "x"))
    }

    private static func entry(_ index: UInt32 = 0, _ path: [String] = ["x"], size: UInt64) -> FileMessage {
        .entry(batch, index: index, FileEntry(path: path, size: size))
    }

    @Test("Endless offers ask a person now and then, and ever more seldom")
    func endlessOffers() {
        var victim = Victim()
        victim.consent = false
        for number in 0..<36_000 as Range<UInt64> {
            victim.take(Self.offer(BatchID(number)))
            victim.run(.milliseconds(100))
        }
        // Within an hour: after 2 s, 4 s, ... 10 minutes.
        #expect((10...14).contains(victim.questions.count))
        #expect(victim.drops(.offerTooSoon) == 36_000 - victim.questions.count)
        #expect(victim.exchange.deadline == nil)
    }

    @Test("An offer that takes the place of another before that is answered asks no sooner")
    func replacedOffers() {
        var victim = Victim()
        victim.consent = nil
        for number in 0..<1000 as Range<UInt64> { victim.take(Self.offer(BatchID(number))) }
        #expect(victim.questions.count == 1)
        for number in 0..<1000 as Range<UInt64> {
            victim.take(Self.offer(BatchID(number + 5000)))
            victim.take(.withdraw(BatchID(number + 5000), .cancelled))
        }
        #expect(victim.questions.count == 1)
    }

    @Test("A disk that does not say how much room there is is asked once, however many offers come")
    func offersToASlowDisk() {
        var victim = Victim(.always)
        victim.disk.isSilent = true
        for number in 0..<1000 as Range<UInt64> {
            victim.take(Self.offer(BatchID(number)))
            victim.take(.withdraw(BatchID(number), .cancelled))
        }
        #expect(victim.disk.measurements == 1 && victim.drops(.offerTooSoon) == 999)
        victim.disk.isSilent = false
        victim.handle(.disk(.space(BatchID(0), 1 << 40)))
        victim.take(Self.offer(BatchID(5000)))
        #expect(victim.sent.contains(.accept(BatchID(5000), next: 0, failed: 0)))
    }

    @Test("Offers that are too large or too many are refused without a question")
    func largeOffers() {
        var settings = FileSettings()
        settings.mostBytes = 1 << 30
        settings.mostFiles = 10
        var victim = Victim(settings: settings)
        victim.take(Self.offer(bytes: 1 << 30 + 1))
        victim.take(Self.offer(BatchID(6), count: 11))
        #expect(victim.sent == [.refuse(Self.batch, .tooLarge), .refuse(BatchID(6), .tooMany)])
        #expect(victim.questions.isEmpty && victim.drops(.offerTooLarge) == 2)
    }

    @Test("A second batch while one is under way is refused")
    func secondBatch() {
        var victim = Victim()
        victim.take(Self.offer())
        victim.take(Self.offer(BatchID(6)))
        victim.take(Self.offer())
        #expect(victim.sent.contains(.refuse(BatchID(6), .busy)))
        #expect(victim.drops(.offerBusy) == 1 && victim.drops(.offerTwice) == 1 && victim.questions.count == 1)
    }

    /// Each violation ends the batch at once, leaves nothing on the disk, and is reported.
    @Test(
        "Who does not keep to what was offered is ended",
        arguments: [
            (
                "more than the file's size", [entry(size: 10), .data(batch, [UInt8](repeating: 1, count: 11))],
                .overSize
            ),
            ("a file beyond the offer", [entry(size: 1001)], .overSize),
            ("files beyond the offer", [entry(size: 600), .data(batch, [UInt8](repeating: 1, count: 600))], nil),
            ("an end before the end", [entry(size: 10), .end(batch, FileDigest(SampledHash().digest()))], nil),
            ("data of no file", [.data(batch, [1])], nil),
            ("an end of no file", [.end(batch, FileDigest(SampledHash().digest()))], nil),
            ("a beginning of no file", [.begin(batch, offset: 0)], nil),
            ("a file within a file", [entry(size: 10), entry(1, size: 10)], nil),
            ("a place that is not next", [entry(1, size: 10)], nil),
            ("a place beyond the count", [entry(7, size: 10)], nil),
            ("a skip of what is not next", [.skip(batch, index: 1, .unreadable)], nil),
        ] as [(String, [FileMessage], FileDrop?)])
    func liars(name: String, messages: [FileMessage], drop: FileDrop?) {
        var victim = Victim()
        victim.take(Self.offer())
        for message in messages { victim.take(message) }
        if name == "files beyond the offer" {
            victim.take(.end(Self.batch, FileDigest(Self.hash([UInt8](repeating: 1, count: 600)))))
            victim.take(Self.entry(1, ["y"], size: 401))
            #expect(victim.drops(.overSize) == 1 && victim.disk.landed.count == 1)
        } else {
            #expect(victim.disk.landed.isEmpty)
        }
        #expect(victim.sent.last == .refuse(Self.batch, .broken))
        #expect(victim.ends.map(\.reason) == [.broken])
        #expect(victim.disk.openJobs == 0 && victim.disk.keptNames.isEmpty && victim.exchange.bufferedBytes == 0)
        if let drop { #expect(victim.drops(drop) == 1) }
        victim.take(.data(Self.batch, [1]))
        #expect(victim.drops(.late) == 1 && victim.exchange.deadline == nil)
    }

    private static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SampledHash()
        hash.update(bytes.span.bytes)
        return hash.digest()
    }

    @Test("A beginning at a place that was not asked for is refused")
    func wrongBeginning() {
        var victim = Victim()
        victim.take(Self.offer(bytes: 1 << 40))
        victim.take(Self.entry(size: 1 << 40))
        #expect(victim.sent.contains(.want(Self.batch, index: 0, offset: 0, nil)))
        victim.take(.begin(Self.batch, offset: 1 << 39))
        #expect(victim.sent.last == .refuse(Self.batch, .broken))
    }

    @Test("What comes beyond the credit ends the batch, and what waits for a slow disk has a bound")
    func beyondTheCredit() {
        var settings = FileSettings()
        settings.window = 256 * 1024
        var victim = Victim(settings: settings)
        victim.take(Self.offer(bytes: 1 << 40))
        victim.take(Self.entry(size: 1 << 40))
        victim.take(.begin(Self.batch, offset: 0))
        victim.disk.isSilent = true
        for _ in 0..<100 { victim.take(.data(Self.batch, Self.piece)) }
        #expect(victim.drops(.overCredit) == 1 && victim.mostBuffered <= settings.window)
        #expect(victim.sent.last == .refuse(Self.batch, .broken) && victim.exchange.bufferedBytes == 0)
    }

    @Test("What a slow disk still writes of a file that was skipped takes no credit, and is not waited for")
    func skippedWhileWriting() {
        var victim = Victim()
        victim.take(Self.offer(bytes: 1 << 40))
        victim.take(Self.entry(size: 1 << 30))
        victim.take(.begin(Self.batch, offset: 0))
        victim.disk.isSilent = true
        for _ in 0..<10 { victim.take(.data(Self.batch, Self.piece)) }
        #expect(victim.exchange.bufferedBytes > 150_000)
        victim.take(.skip(Self.batch, index: 0, .changed))
        #expect(victim.exchange.bufferedBytes == 0 && victim.disk.openJobs == 0)
        #expect(victim.sent.contains { if case .credit(_, let total) = $0 { total > 400_000 } else { false } })
        victim.run(.seconds(100))
        #expect(victim.ends.isEmpty)
        victim.disk.isSilent = false
        victim.take(Self.entry(1, ["y"], size: 1))
        victim.take(.data(Self.batch, [1]))
        victim.take(.end(Self.batch, FileDigest(Self.hash([1]))))
        #expect(victim.ends.map(\.arrived) == [1] && victim.ends.map(\.failed) == [1])
    }

    @Test(
        "A file whose last bytes the disk still writes when the channel is cut is not sent again",
        arguments: [true, false])
    func cutWhileFinishing(isOfferedSooner: Bool) {
        var victim = Victim()
        victim.take(Self.offer())
        victim.take(Self.entry(size: 3))
        victim.disk.isSilent = true
        victim.take(.data(Self.batch, [1, 2, 3]))
        victim.take(.end(Self.batch, FileDigest(Self.hash([1, 2, 3]))))
        #expect(victim.disk.landed.count == 1)
        victim.handle(.closed)
        func answer(_ victim: inout Victim) {
            victim.handle(.disk(.wrote(DiskJob(2), count: 3)))
            victim.handle(.disk(.finished(DiskJob(2), name: "x")))
        }
        if !isOfferedSooner { answer(&victim) }
        victim.handle(.opened)
        let count = victim.sent.count
        victim.take(Self.offer())
        if isOfferedSooner {
            #expect(victim.sent.count == count)
            answer(&victim)
        }
        #expect(victim.sent.dropFirst(count).first == .accept(Self.batch, next: 1, failed: 0))
        #expect(victim.exchange.bufferedBytes == 0 && victim.ends.isEmpty)
    }

    @Test(
        "A part that goes wrong between two channels is given up, wherever the sender is with it",
        arguments: [true, false])
    func heldPartFails(isOnItsWay: Bool) {
        var victim = Victim()
        victim.take(Self.offer(bytes: 1 << 40))
        victim.take(Self.entry(size: 1 << 30))
        victim.take(.begin(Self.batch, offset: 0))
        victim.disk.isSilent = true
        victim.take(.data(Self.batch, Self.piece))
        victim.handle(.closed)
        victim.handle(.opened)
        victim.take(Self.offer(bytes: 1 << 40))
        victim.handle(.disk(.failed(DiskJob(2), .tooLarge)))
        #expect(victim.sent.contains(.verdict(Self.batch, index: 0, .tooLarge)))
        victim.disk.isSilent = false
        if isOnItsWay { victim.take(Self.entry(size: 1 << 30)) }
        victim.take(Self.entry(1, ["y"], size: 1))
        victim.take(.data(Self.batch, [1]))
        victim.take(.end(Self.batch, FileDigest(Self.hash([1]))))
        #expect(victim.ends.map(\.arrived) == [1] && victim.ends.map(\.failed) == [1])
        #expect(victim.disk.openJobs == 0)
    }

    @Test("A file that the receiver gives up before it hears of it is not sent, and the next one is")
    func givenUpSooner() {
        var victim = Self.sending()
        victim.take(.accept(Self.batch, next: 0, failed: 0))
        victim.take(.verdict(Self.batch, index: 0, .tooLarge))
        victim.take(.credit(Self.batch, total: 1000))
        victim.take(.verdict(Self.batch, index: 1, nil))
        #expect(victim.ends.map(\.arrived) == [1] && victim.ends.map(\.failed) == [1])
        let entries = victim.sent.compactMap { if case .entry(_, let index, _) = $0 { index } else { nil } }
        #expect(entries == [1] && victim.disk.openJobs == 0)
    }

    @Test("Small entries take their credit, too, while the disk makes the first")
    func endlessEntries() {
        var settings = FileSettings()
        settings.mostFiles = .max
        settings.window = 256 * 1024
        var victim = Victim(settings: settings)
        victim.take(Self.offer(count: .max))
        victim.disk.isSilent = true
        for index in 0..<20_000 as Range<UInt32> {
            victim.take(.entry(Self.batch, index: index, FileEntry(path: ["d\(index)"], isFolder: true)))
        }
        #expect(victim.drops(.overCredit) == 1 && victim.mostBuffered <= settings.window)
    }

    @Test("Verdicts that nobody takes stop what comes")
    func verdictsWait() {
        var settings = FileSettings()
        settings.mostFiles = .max
        var victim = Victim(settings: settings)
        victim.take(Self.offer(count: .max))
        victim.room = 0
        for index in 0..<5000 as Range<UInt32> {
            victim.take(.entry(Self.batch, index: index, FileEntry(path: ["d"], isFolder: true)))
        }
        #expect(victim.disk.folders.count <= 64 && victim.drops(.answerDropped) == 0)
        victim.room = 64 * 1024
        victim.handle(.room(64 * 1024))
        #expect(victim.disk.folders.count == 5000)
        let verdicts = victim.sent.filter { if case .verdict(_, _, nil) = $0 { true } else { false } }
        #expect(verdicts.count == 5000)
    }

    @Test("A file whose digest is another's is not kept")
    func damaged() {
        var victim = Victim()
        victim.take(Self.offer(count: 1, bytes: 3))
        victim.take(Self.entry(size: 3))
        victim.take(.data(Self.batch, [1, 2, 3]))
        victim.take(.end(Self.batch, FileDigest([UInt8](repeating: 0, count: 32))))
        #expect(victim.sent.last == .verdict(Self.batch, index: 0, .damaged))
        #expect(victim.disk.landed.isEmpty && victim.disk.openJobs == 0 && victim.ends.map(\.failed) == [1])
    }

    @Test("Names are clean before the disk sees them, and so is what a person is asked")
    func names() {
        var victim = Victim()
        victim.take(.offer(FileOffer(Self.batch, count: 1, bytes: 0, name: "\u{202E}gpj.exe")))
        victim.take(.entry(Self.batch, index: 0, FileEntry(path: ["..\\..", ".ssh", "-x\u{202E}\n"], isFolder: true)))
        #expect(victim.disk.folders == ["_/ssh/x_"])
        #expect(victim.questions.map(\.name.text) == ["gpj.exe"])
    }

    @Test("A sender that stops is left, and what came is kept for later")
    func stops() {
        var victim = Victim()
        victim.take(Self.offer(bytes: 1 << 30))
        victim.take(Self.entry(size: 1 << 30))
        victim.take(.begin(Self.batch, offset: 0))
        victim.take(.data(Self.batch, Self.piece))
        victim.run(.seconds(1000))
        #expect(victim.ends.map(\.reason) == [.timedOut] && victim.disk.keptNames == ["x"])
        #expect(victim.exchange.deadline == nil)
    }

    @Test("Another batch of one number is not taken for the one before")
    func exchangedBatch() {
        var victim = Victim()
        victim.take(Self.offer(bytes: 1 << 30))
        victim.handle(.closed)
        victim.handle(.opened)
        victim.take(Self.offer(bytes: 1 << 31))
        #expect(victim.ends.map(\.reason) == [.broken] && victim.drops(.outOfOrder) == 1)
    }

    // MARK: A hostile receiver

    private static func sending(_ size: Int = 900_000) -> Victim {
        var victim = Victim()
        victim.disk.sources[batch] = [0: .bytes([UInt8](repeating: 65, count: size)), 1: .bytes([66])]
        victim.handle(
            .send(batch, [FileEntry(path: ["x"], size: UInt64(size)), FileEntry(path: ["y"], size: 1)]))
        return victim
    }

    @Test(
        "A receiver that does not keep to the order is left",
        arguments: [
            ("more than there are", [.accept(batch, next: 3, failed: 0)]),
            ("accepted twice", [.accept(batch, next: 0, failed: 0), .accept(batch, next: 0, failed: 0)]),
            ("a verdict before the file", [.accept(batch, next: 0, failed: 0), .verdict(batch, index: 0, nil)]),
            ("a verdict of what is later", [.accept(batch, next: 0, failed: 0), .verdict(batch, index: 1, .badName)]),
            ("a wish before the entry", [.accept(batch, next: 0, failed: 0), .want(batch, index: 0, offset: 0, nil)]),
            (
                "a wish beyond the end",
                [
                    .accept(batch, next: 0, failed: 0), .credit(batch, total: 1000),
                    .want(batch, index: 0, offset: 900_001, FileDigest(SampledHash().digest())),
                ]
            ),
        ] as [(String, [FileMessage])])
    func badReceivers(name: String, messages: [FileMessage]) {
        var victim = Self.sending()
        for message in messages { victim.take(message) }
        #expect(victim.ends.map(\.reason) == [.broken] && victim.drops(.outOfOrder) == 1)
        #expect(victim.sent.last == .withdraw(Self.batch, .broken))
        #expect(victim.disk.openJobs == 0 && victim.exchange.deadline == nil)
    }

    @Test("Credit of the largest number sends no more than the channel takes, and one that goes back is ignored")
    func credits() {
        var victim = Self.sending()
        victim.take(.accept(Self.batch, next: 0, failed: 0))
        victim.take(.credit(Self.batch, total: .max))
        victim.take(.credit(Self.batch, total: 5))
        #expect(victim.drops(.creditWentBack) == 1)
        victim.room = 20_000
        victim.take(.want(Self.batch, index: 0, offset: 0, nil))
        #expect(victim.mostBuffered <= 128 * 1024)
        let data = victim.sent.reduce(0) { if case .data(_, let bytes) = $1 { $0 + bytes.count } else { $0 } }
        #expect(data == 900_001)
    }

    @Test("A receiver that says nothing is left after a time, whatever it was asked")
    func silentReceiver() {
        var unanswered = Self.sending()
        unanswered.run(.seconds(151))
        #expect(unanswered.ends.map(\.reason) == [.timedOut])
        var withoutCredit = Self.sending()
        withoutCredit.take(.accept(Self.batch, next: 0, failed: 0))
        withoutCredit.run(.seconds(1000))
        #expect(withoutCredit.ends.map(\.reason) == [.timedOut])
        var withoutVerdict = Self.sending()
        withoutVerdict.take(.accept(Self.batch, next: 1, failed: 0))
        withoutVerdict.take(.credit(Self.batch, total: 1000))
        withoutVerdict.run(.seconds(121))
        #expect(withoutVerdict.ends.map(\.reason) == [.timedOut])
        #expect(withoutVerdict.disk.openJobs == 0 && withoutVerdict.exchange.deadline == nil)
    }

    @Test("Junk is counted, and nothing is kept of it")
    func junk() {
        var victim = Self.sending()
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<10_000 {
            let count = Int.random(in: 0...60, using: &generator)
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...30, using: &generator) }
            if Bool.random(using: &generator), bytes.count > 9 {
                bytes.replaceSubrange(1..<9, with: [5, 0, 0, 0, 0, 0, 0, 0])
            }
            victim.handle(.received(bytes))
        }
        victim.handle(.received([UInt8](repeating: 19, count: 1 << 20)))
        victim.run(.seconds(5000))
        #expect(victim.drops(.malformed) > 5000)
        #expect(victim.exchange.bufferedBytes == 0 && victim.exchange.deadline == nil && victim.disk.openJobs == 0)
    }
}
