import Foundation
import HelioCore
import HelioTransferWire
import Testing

@testable import HelioTransfer

struct FileExchangeTests {
    private static let batch = BatchID(0xA1)

    private static func noise(_ count: Int, _ seed: UInt64 = 1) -> FakeContent {
        var generator = SeededGenerator(seed: seed)
        var bytes: [UInt8] = []
        // Eight bytes at a time: single bytes would take most of the tests' time.
        while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes += $0 } }
        return .bytes(Array(bytes.prefix(count)))
    }

    /// The size in bytes; `HELIO_FILE_BYTES` sets another. 10 GB take minutes in an unoptimised build.
    private static let size =
        ProcessInfo.processInfo.environment["HELIO_FILE_BYTES"].flatMap(UInt64.init) ?? 1_000_000_000

    @Test("A large file over a channel that is cut ten times arrives whole, and little is sent twice")
    func largeFile() {
        let size = Self.size
        let pair = FilePair(rate: 4_000_000_000)
        let content = FakeContent.generated(seed: 3, size: size)
        pair.b.disk.expected["big.img"] = content
        pair.a.send(Self.batch, [("big.img", content)], now: pair.now)
        for cut in 1...10 as ClosedRange<UInt64> {
            #expect(pair.run(.seconds(300)) { pair.b.disk.written >= cut * size / 11 })
            pair.cut()
            pair.run(.seconds(3))
            pair.connect()
        }
        #expect(pair.run(.seconds(300)) { pair.a.end(of: Self.batch) != nil })
        #expect(pair.b.disk.firstWrong == nil)
        #expect(pair.b.disk.landed == ["big.img": content])
        #expect(pair.a.end(of: Self.batch)?.arrived == 1 && pair.b.end(of: Self.batch)?.arrived == 1)
        #expect(pair.a.end(of: Self.batch)?.reason == nil)
        // A single question; after each cut, only data in transit is sent again, and the sender goes back to an offset
        // at which it has a hash.
        #expect(pair.b.questions.count == 1)
        #expect(pair.b.disk.written < size + 10 * 512 * 1024)
        #expect(pair.a.disk.readBytes < size + 10 * 8 * 1024 * 1024)
        #expect(pair.a.mostBuffered <= 128 * 1024 && pair.b.mostBuffered <= FileSettings().window)
        #expect(pair.a.disk.openJobs == 0 && pair.b.disk.openJobs == 0)
    }

    @Test("A folder comes as a whole, with what is empty in it")
    func folder() {
        let pair = FilePair()
        let big = Self.noise(700_000)
        pair.a.send(
            Self.batch,
            [
                ("d", nil), ("d/a.txt", .bytes(Array("hello".utf8))), ("d/none", .bytes([])), ("d/sub", nil),
                ("d/sub/b", big),
            ],
            now: pair.now)
        #expect(pair.run { pair.a.end(of: Self.batch) != nil })
        #expect(pair.b.disk.folders == ["d", "d/sub"])
        #expect(pair.b.disk.landed == ["d/a.txt": .bytes(Array("hello".utf8)), "d/none": .bytes([]), "d/sub/b": big])
        #expect(pair.b.questions.map(\.name.text) == ["d"] && pair.b.questions[0].count == 5)
        #expect(pair.b.questions[0].bytes == 700_005)
        #expect(pair.a.end(of: Self.batch) == outcome(.sending, arrived: 5))
        #expect(pair.b.end(of: Self.batch) == outcome(.receiving, arrived: 5))
        #expect(pair.a.files.map(\.failure) == [nil, nil, nil, nil, nil])
    }

    private func outcome(
        _ direction: FileDirection, arrived: Int = 0, failed: Int = 0, _ reason: FileRefusal? = nil,
        isPeers: Bool = false
    ) -> BatchOutcome {
        BatchOutcome(
            batch: Self.batch, direction: direction, arrived: arrived, failed: failed, reason: reason, isPeers: isPeers)
    }

    @Test("A thousand small files need no turn of the channel each")
    func smallFiles() {
        let pair = FilePair(delay: .milliseconds(50))
        let files = (0..<1000).map { ("f\($0)", FakeContent?.some(Self.noise(100, UInt64($0)))) }
        pair.a.send(Self.batch, files, now: pair.now)
        #expect(pair.run(.seconds(5)) { pair.a.end(of: Self.batch) != nil })
        #expect(pair.b.disk.landed.count == 1000)
        #expect(pair.a.end(of: Self.batch)?.arrived == 1000)
    }

    @Test("A cut anywhere in a batch of small and large files loses and doubles none", arguments: 0..<40)
    func cutsAnywhere(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let pair = FilePair(rate: 2_000_000, delay: .milliseconds(20))
        var contents: [(String, FakeContent?)] = [("d", nil)]
        for index in 0..<30 {
            let size =
                Int.random(in: 0...2, using: &generator) == 0 ? 400_000 : Int.random(in: 0...3000, using: &generator)
            contents.append(("d/\(index)", Self.noise(size, UInt64(index))))
        }
        pair.a.send(Self.batch, contents, now: pair.now)
        for _ in 0..<5 {
            pair.run(.milliseconds(Int.random(in: 1...700, using: &generator)))
            pair.cut()
            pair.run(.milliseconds(Int.random(in: 0...50, using: &generator)))
            pair.connect()
        }
        #expect(pair.run(.seconds(60)) { pair.a.end(of: Self.batch) != nil && pair.b.end(of: Self.batch) != nil })
        #expect(pair.b.disk.landed.count == 30)
        for (name, content) in contents where content != nil { #expect(pair.b.disk.landed[name] == content) }
        #expect(pair.a.end(of: Self.batch)?.arrived == 31 && pair.b.end(of: Self.batch)?.arrived == 31)
        #expect(pair.a.disk.openJobs == 0 && pair.b.disk.openJobs == 0)
        #expect(pair.b.questions.count == 1 && pair.b.disk.keptNames.isEmpty)
    }

    @Test("What was kept from before goes on, if it is the beginning of the same file", arguments: [true, false])
    func kept(isSame: Bool) {
        let pair = FilePair()
        let content = Self.noise(1_000_000)
        pair.b.disk.keep(
            "x", size: 1_000_000, modified: 1000, isSame ? content : Self.noise(1_000_000, 9), count: 600_000)
        pair.a.send(Self.batch, [("x", content)], now: pair.now)
        #expect(pair.run { pair.a.end(of: Self.batch) != nil })
        #expect(pair.b.disk.landed == ["x": content])
        #expect(pair.b.disk.written == (isSame ? 400_000 : 1_000_000))
    }

    @Test("Who does not want them is sent nothing, and the sender hears why")
    func declined() {
        let pair = FilePair()
        pair.b.consent = false
        pair.a.send(Self.batch, [("x", Self.noise(1000))], now: pair.now)
        #expect(pair.run { pair.a.end(of: Self.batch) != nil })
        #expect(pair.a.end(of: Self.batch) == outcome(.sending, .declined, isPeers: true))
        #expect(pair.b.disk.landed.isEmpty && pair.b.disk.openJobs == 0 && pair.a.disk.readBytes == 0)
    }

    @Test("Where no files are allowed nobody is asked, and a paired device is not asked for")
    func permissions() {
        let never = FilePair(b: .never)
        never.a.send(Self.batch, [("x", Self.noise(1000))], now: never.now)
        #expect(never.run { never.a.end(of: Self.batch) != nil })
        #expect(never.a.end(of: Self.batch)?.reason == .notAllowed && never.b.questions.isEmpty)
        let always = FilePair(b: .always)
        always.a.send(Self.batch, [("x", Self.noise(1000))], now: always.now)
        #expect(always.run { always.a.end(of: Self.batch) != nil })
        #expect(always.b.disk.landed.count == 1 && always.b.questions.isEmpty)
    }

    @Test("A person who does not answer is waited for, but not for ever")
    func unanswered() {
        let pair = FilePair()
        pair.b.consent = nil
        pair.a.send(Self.batch, [("x", Self.noise(1000))], now: pair.now)
        pair.run(.seconds(100))
        #expect(pair.a.end(of: Self.batch) == nil && pair.b.openQuestions == [Self.batch])
        pair.run(.seconds(30))
        #expect(pair.a.end(of: Self.batch)?.reason == .timedOut && pair.b.openQuestions.isEmpty)
        #expect(pair.a.exchange.deadline == nil && pair.b.exchange.deadline == nil)
    }

    @Test("A person may answer while there is no channel")
    func answeredInBetween() {
        let pair = FilePair()
        pair.b.consent = nil
        pair.a.send(Self.batch, [("x", Self.noise(1000))], now: pair.now)
        pair.run(.seconds(1))
        pair.cut()
        pair.b.answer(Self.batch, true, now: pair.now)
        pair.run(.seconds(1))
        pair.connect()
        #expect(pair.run { pair.a.end(of: Self.batch) != nil })
        #expect(pair.b.disk.landed.count == 1 && pair.b.questions.count == 1)
    }

    @Test("A disk without room says so at the offer, before anybody is asked")
    func noRoom() {
        let pair = FilePair()
        pair.b.disk.space = 999
        pair.a.send(Self.batch, [("x", Self.noise(1000))], now: pair.now)
        #expect(pair.run { pair.a.end(of: Self.batch) != nil })
        #expect(pair.a.end(of: Self.batch) == outcome(.sending, .noSpace, isPeers: true))
        #expect(pair.b.end(of: Self.batch)?.reason == .noSpace && pair.b.questions.isEmpty)
    }

    @Test("A disk that gets full says so at both ends, and nothing is left of the file")
    func full() {
        let pair = FilePair()
        pair.b.disk.capacity = 500_000
        pair.a.send(Self.batch, [("x", Self.noise(100_000)), ("y", Self.noise(900_000))], now: pair.now)
        #expect(pair.run { pair.a.end(of: Self.batch) != nil })
        #expect(pair.a.end(of: Self.batch) == outcome(.sending, arrived: 1, .noSpace, isPeers: true))
        #expect(pair.b.end(of: Self.batch) == outcome(.receiving, arrived: 1, .noSpace))
        #expect(Array(pair.b.disk.landed.keys) == ["x"])
        #expect(pair.b.disk.openJobs == 0 && pair.b.disk.keptNames.isEmpty && pair.a.disk.openJobs == 0)
    }

    @Test("One file that fails does not end the others", arguments: [0, 1, 2])
    func oneFails(index: Int) {
        let pair = FilePair()
        let contents = (0..<3).map { ("f\($0)", FakeContent?.some(Self.noise(600_000, UInt64($0)))) }
        pair.b.disk.impossible = ["f\(index)"]
        pair.a.send(Self.batch, contents, now: pair.now)
        #expect(pair.run { pair.a.end(of: Self.batch) != nil && pair.b.end(of: Self.batch) != nil })
        #expect(pair.a.end(of: Self.batch) == outcome(.sending, arrived: 2, failed: 1))
        #expect(pair.b.end(of: Self.batch) == outcome(.receiving, arrived: 2, failed: 1))
        #expect(pair.a.files.map(\.failure) == (0..<3).map { $0 == index ? .badName : nil })
        #expect(pair.b.disk.landed.count == 2)
    }

    @Test("A file that changes while it is sent is said to have, and nothing of it stays")
    func changed() {
        let pair = FilePair()
        pair.a.disk.changesAt = 500_000
        pair.a.send(Self.batch, [("x", Self.noise(900_000)), ("y", Self.noise(1000))], now: pair.now)
        #expect(pair.run { pair.a.end(of: Self.batch) != nil && pair.b.end(of: Self.batch) != nil })
        #expect(pair.a.end(of: Self.batch) == outcome(.sending, arrived: 1, failed: 1))
        #expect(pair.b.files.map(\.failure) == [.changed, nil])
        #expect(Array(pair.b.disk.landed.keys) == ["y"] && pair.b.disk.keptNames.isEmpty)
    }

    @Test("A file that is gone, or has another size than was offered, is left out")
    func gone() {
        let pair = FilePair()
        pair.a.send(
            Self.batch, [("x", Self.noise(1000)), ("y", Self.noise(1000)), ("z", Self.noise(10))], now: pair.now)
        pair.a.disk.sources[Self.batch]?[0] = nil
        pair.a.disk.sources[Self.batch]?[1] = Self.noise(1001)
        #expect(pair.run { pair.a.end(of: Self.batch) != nil && pair.b.end(of: Self.batch) != nil })
        #expect(pair.a.files.map(\.failure) == [.unreadable, .changed, nil])
        #expect(pair.b.end(of: Self.batch) == outcome(.receiving, arrived: 1, failed: 2))
    }

    @Test("Either end may stop it, and nothing is left", arguments: [true, false])
    func cancelled(isSender: Bool) {
        let pair = FilePair(rate: 1_000_000)
        pair.a.send(Self.batch, [("x", Self.noise(3_000_000))], now: pair.now)
        pair.run(.seconds(1))
        #expect(pair.b.disk.written > 0)
        (isSender ? pair.a : pair.b).exchange.handle(.cancel(Self.batch), now: pair.now)
        pair.run(.seconds(1))
        #expect(pair.a.end(of: Self.batch) == outcome(.sending, .cancelled, isPeers: !isSender))
        #expect(pair.b.end(of: Self.batch) == outcome(.receiving, .cancelled, isPeers: isSender))
        #expect(pair.b.disk.openJobs == 0 && pair.b.disk.keptNames.isEmpty && pair.b.disk.landed.isEmpty)
        #expect(pair.a.exchange.deadline == nil && pair.b.exchange.deadline == nil)
    }

    @Test(
        "What is stopped while there is no channel is known at the other end with the next one",
        arguments: [true, false])
    func cancelledInBetween(isSender: Bool) {
        let pair = FilePair(rate: 1_000_000)
        pair.a.send(Self.batch, [("x", Self.noise(3_000_000))], now: pair.now)
        pair.run(.seconds(1))
        pair.cut()
        (isSender ? pair.a : pair.b).exchange.handle(.cancel(Self.batch), now: pair.now)
        pair.run(.seconds(1))
        pair.connect()
        pair.run(.seconds(1))
        #expect(pair.a.end(of: Self.batch)?.reason == .cancelled && pair.b.end(of: Self.batch)?.reason == .cancelled)
        #expect(pair.b.disk.openJobs == 0 && pair.b.disk.keptNames.isEmpty && pair.a.disk.openJobs == 0)
        #expect(pair.a.exchange.deadline == nil && pair.b.exchange.deadline == nil)
    }

    @Test("An end that does not come back is given up after an hour, and the part is kept")
    func vanished() {
        let pair = FilePair(rate: 1_000_000)
        pair.a.send(Self.batch, [("x", Self.noise(3_000_000))], now: pair.now)
        pair.run(.seconds(1))
        pair.cut()
        pair.run(.seconds(3500))
        #expect(pair.a.end(of: Self.batch) == nil && pair.b.end(of: Self.batch) == nil)
        #expect(pair.a.progress.last?.isInterrupted == true && pair.b.progress.last?.isInterrupted == true)
        pair.run(.seconds(200))
        #expect(pair.a.end(of: Self.batch)?.reason == .timedOut && pair.b.end(of: Self.batch)?.reason == .timedOut)
        #expect(pair.b.disk.keptNames == ["x"] && pair.b.disk.landed.isEmpty && pair.b.disk.openJobs == 0)
        #expect(pair.a.exchange.deadline == nil && pair.b.exchange.deadline == nil)
    }

    @Test("A disk that does not answer ends what waits for it", arguments: [true, false])
    func silentDisk(isSender: Bool) {
        let pair = FilePair(rate: 1_000_000)
        pair.a.send(Self.batch, [("x", Self.noise(3_000_000))], now: pair.now)
        pair.run(.seconds(1))
        (isSender ? pair.a : pair.b).disk.isSilent = true
        #expect(pair.run(.seconds(150)) { pair.a.end(of: Self.batch) != nil && pair.b.end(of: Self.batch) != nil })
        if isSender {
            #expect(pair.a.files.map(\.failure) == [.unreadable])
        } else {
            #expect(pair.a.end(of: Self.batch) == outcome(.sending, .diskFailed, isPeers: true))
        }
        #expect(pair.b.disk.landed.isEmpty && pair.b.disk.keptNames.isEmpty)
    }

    @Test("Both ends are told of progress, rate and time left")
    func progress() throws {
        let pair = FilePair(rate: 1_000_000)
        pair.a.send(Self.batch, [("x", Self.noise(4_000_000)), ("y", Self.noise(6_000_000))], now: pair.now)
        #expect(pair.run(.seconds(30)) { pair.b.disk.landed.count == 1 })
        pair.run(.seconds(1))
        for end in [pair.a, pair.b] {
            let progress = try #require(end.progress.last)
            #expect(progress.index == 2 && progress.count == 2 && progress.totalBytes == 10_000_000)
            #expect((4_500_000...5_500_000).contains(progress.bytes))
            #expect((900_000...1_050_000).contains(progress.rate))
            #expect((4...7).contains(try #require(progress.timeLeft).inSeconds))
            #expect(end.progress.count < 30 && !progress.isInterrupted)
        }
        #expect(pair.run(.seconds(30)) { pair.a.end(of: Self.batch) != nil })
    }

    @Test("Batches of one end go one after the other, both ends' at once, and not too many wait")
    func queue() {
        var settings = FileSettings()
        settings.batches = 3
        let pair = FilePair(settings: settings)
        for number in 1...4 as ClosedRange<UInt64> {
            pair.a.send(BatchID(number), [("a\(number)", Self.noise(300_000, number))], now: pair.now)
        }
        #expect(pair.a.exchange.statistics.filesSent == 0)
        pair.b.send(BatchID(9), [("b", Self.noise(300_000))], now: pair.now)
        #expect(pair.run { pair.b.disk.landed.count == 3 && pair.a.disk.landed.count == 1 })
        pair.run(.seconds(1))
        #expect(pair.a.end(of: BatchID(4))?.reason == .busy)
        #expect(pair.b.questions.map(\.batch) == [BatchID(1), BatchID(2), BatchID(3)])
        #expect(pair.a.ends.count == 5 && pair.b.ends.count == 4)
    }

    @Test("What is sent while there is no channel goes with the next one")
    func early() {
        let pair = FilePair(connects: false)
        pair.a.send(Self.batch, [("x", Self.noise(1000))], now: pair.now)
        pair.run(.seconds(60))
        pair.connect()
        #expect(pair.run { pair.a.end(of: Self.batch) != nil })
        #expect(pair.b.disk.landed.count == 1)
    }

    @Test("No more is given to the channel than it takes, and not more than its share")
    func room() {
        let pair = FilePair(rate: 1_000_000)
        pair.a.send(Self.batch, [("x", Self.noise(1_000_000))], now: pair.now)
        pair.run(.seconds(5))
        #expect(pair.a.channel.mostQueued <= FakeChannel.capacity)
        #expect(pair.b.disk.landed.count == 1)
    }
}
