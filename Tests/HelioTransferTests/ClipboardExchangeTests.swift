import HelioCore
import HelioTransfer
import HelioTransferWire
import Testing

struct ClipboardExchangeTests {
    private typealias Content = Result<[UInt8], ClipboardFailure>

    @Test func textGoesBothWays() {
        let pair = ClipboardPair()
        let first = Array(TestContent.scripts.utf8)
        pair.a.copy([.text: first], now: pair.now)
        pair.run()
        #expect(pair.b.machine.offered == [ClipboardEntry(.text)])
        #expect(pair.finish(pair.b.paste(.text, now: pair.now), of: pair.b) == .success(first))

        let second = Array("zurück".utf8)
        pair.b.copy([.text: second, .html: Array("<b>zurück</b>".utf8)], now: pair.now)
        pair.run()
        #expect(pair.a.machine.offered.map(\.format) == [.text, .html])
        #expect(pair.finish(pair.a.paste(.text, now: pair.now), of: pair.a) == .success(second))
        #expect(
            pair.finish(pair.a.paste(.html, now: pair.now), of: pair.a) == .success(Array("<b>zurück</b>".utf8)))
        #expect(pair.a.exchange.statistics.transfersReceived == 2)
        #expect(pair.b.exchange.statistics.bytesSent == second.count + "<b>zurück</b>".utf8.count)
    }

    @Test func emptyContentIsContent() {
        let pair = ClipboardPair()
        pair.a.copy([.text: []], now: pair.now)
        pair.run()
        #expect(pair.finish(pair.b.paste(.text, now: pair.now), of: pair.b) == .success([]))
    }

    @Test func nothingCrossesThatNobodyPastes() {
        let pair = ClipboardPair()
        pair.a.copy([.png: TestContent.png(10 << 20)], now: pair.now)
        pair.run(.seconds(100))
        #expect(pair.a.machine.reads == 0)
        // The terms and an offer.
        #expect(pair.a.channel.sentBytes == 6 + 11)
        #expect(pair.b.machine.offered == [ClipboardEntry(.png)])
    }

    /// A transfer never delays other data on the link for longer than its window takes.
    @Test(arguments: [(1_000_000, 20), (100_000_000, 1)])
    func aLargePictureGoesInASmallWindow(rate: Int, delay: Int) {
        let pair = ClipboardPair(rate: rate, delay: .milliseconds(delay))
        let picture = TestContent.png(10 << 20)
        pair.a.copy([.png: picture], sizes: [.png: picture.count], now: pair.now)
        pair.run()
        let began = pair.now
        let result = pair.finish(pair.b.paste(.png, now: pair.now), of: pair.b)
        #expect(result == .success(picture))
        let ideal = Double(picture.count) / Double(rate)
        // At worst one round trip for each half of the window of 64 KiB, after which credit is returned.
        let trips = Double(picture.count) / 32768 * Double(delay) * 2e-3
        #expect((pair.now - began).inSeconds < ideal + trips + 0.5)
        #expect(pair.a.channel.mostQueued <= FakeChannel.capacity)
        #expect(pair.b.mostBuffered <= picture.count)
        #expect(pair.a.exchange.bufferedBytes == 0 && pair.b.exchange.bufferedBytes == 0)
    }

    @Test func ofQuickCopiesOnlyTheNewestIsFetched() {
        let pair = ClipboardPair()
        pair.run()
        for number in 1...1000 {
            pair.a.copy([.text: Array("copy \(number)".utf8)], now: pair.now)
            pair.run(.milliseconds(1))
        }
        pair.run()
        #expect(pair.finish(pair.b.paste(.text, now: pair.now), of: pair.b) == .success(Array("copy 1000".utf8)))
        #expect(pair.a.machine.reads == 1)
        // A second of copying, with an offer each tenth of it.
        #expect((10...12).contains(pair.a.exchange.statistics.offersSent))
        #expect(pair.b.machine.offers <= 12)
        let replaced = pair.a.exchange.statistics.drops[.offerReplaced]
        #expect(replaced + pair.a.exchange.statistics.offersSent == 1000)
    }

    @Test func aPasteOfWhatIsGoneFails() {
        let pair = ClipboardPair()
        pair.a.copy([.text: [65]], now: pair.now)
        pair.run()
        // The request crosses the offer of a newer copy in transit.
        let paste = pair.b.paste(.text, now: pair.now)
        pair.a.copy([.text: [66]], now: pair.now)
        #expect(pair.finish(paste, of: pair.b) == .failure(.gone))
        #expect(pair.finish(pair.b.paste(.text, now: pair.now), of: pair.b) == .success([66]))
        #expect(pair.finish(pair.b.paste(.png, now: pair.now), of: pair.b) == .failure(.gone))
    }

    @Test func whatIsClearedIsTakenBack() {
        let pair = ClipboardPair()
        pair.a.copy([.text: [65]], now: pair.now)
        pair.run()
        pair.a.copy([:], now: pair.now)
        pair.run()
        #expect(pair.b.machine.offered.isEmpty && pair.b.machine.withdrawals == 1)
    }

    @Test func whatCameFromThePeerIsNotOfferedBack() {
        let pair = ClipboardPair()
        pair.a.copy([.text: [65]], now: pair.now)
        pair.run(.seconds(10))
        #expect(pair.b.exchange.statistics.offersSent == 0 && pair.a.exchange.statistics.offersReceived == 0)
        #expect(pair.a.machine.offers == 0)
    }

    /// Clipboard histories at both ends that copy everything offered.
    @Test func historiesAtBothEndsMakeNoLoop() {
        let pair = ClipboardPair()
        pair.a.hasHistory = true
        pair.b.hasHistory = true
        pair.a.copy([.text: Array("once".utf8)], now: pair.now)
        pair.run(.seconds(60))
        #expect(pair.a.exchange.statistics.offersSent == 1)
        #expect(pair.b.exchange.statistics.offersSent == 0)
        #expect(pair.b.exchange.statistics.drops[.echo] == 1)
        // A later copy there is no echo.
        pair.b.copy([.text: Array("twice".utf8)], now: pair.now)
        pair.run(.seconds(60))
        #expect(pair.b.exchange.statistics.offersSent == 1)
        #expect(pair.a.machine.copied == [.text: Array("twice".utf8)])
        #expect(pair.a.exchange.statistics.drops[.echo] == 1)
    }

    @Test func whatIsCopiedAgainBehindSomethingElseIsNoEcho() {
        let pair = ClipboardPair()
        pair.a.copy([.text: [65]], now: pair.now)
        pair.run()
        _ = pair.finish(pair.b.paste(.text, now: pair.now), of: pair.b)
        pair.b.copy([.png: [1]], now: pair.now)
        pair.run()
        pair.b.copy([.text: [65]], now: pair.now)
        pair.run()
        #expect(pair.b.exchange.statistics.offersSent == 2 && pair.b.exchange.statistics.drops[.echo] == 0)
        #expect(pair.a.machine.offered.map(\.format) == [.text])
    }

    @Test func whatCantBeComparedIsNoEcho() {
        let pair = ClipboardPair()
        pair.a.copy([.text: [65]], now: pair.now)
        pair.run()
        _ = pair.finish(pair.b.paste(.text, now: pair.now), of: pair.b)
        pair.b.machine.isSilent = true
        pair.b.copy([.text: [66]], now: pair.now)
        pair.run(.seconds(14))
        #expect(pair.b.exchange.statistics.offersSent == 0)
        pair.run(.seconds(2))
        #expect(pair.b.exchange.statistics.offersSent == 1)
    }

    // MARK: Terms

    private static let noSend = ClipboardTerms(maySend: false, mayReceive: true, mostBytes: 1 << 24)
    private static let noReceive = ClipboardTerms(maySend: true, mayReceive: false, mostBytes: 1 << 24)

    @Test(arguments: [
        (noSend, ClipboardPair.all), (ClipboardPair.all, noReceive), (noSend, noReceive),
        (ClipboardTerms.nothing, ClipboardPair.all), (ClipboardPair.all, ClipboardTerms.nothing),
    ])
    func eitherEndCanSwitchADirectionOff(a: ClipboardTerms, b: ClipboardTerms) {
        let pair = ClipboardPair(a: a, b: b)
        pair.a.copy([.text: [65]], now: pair.now)
        pair.run()
        #expect(pair.b.machine.offers == 0 && pair.a.exchange.statistics.offersSent == 0)
        #expect(
            pair.finish(pair.b.paste(.text, now: pair.now), of: pair.b)
                == .failure(pair.b.exchange.takes ? .gone : .notAllowed))
        // Once sending is switched on, the earlier copy is offered.
        pair.a.exchange.handle(.terms(ClipboardPair.all), now: pair.now)
        pair.b.exchange.handle(.terms(ClipboardPair.all), now: pair.now)
        pair.run()
        #expect(pair.finish(pair.b.paste(.text, now: pair.now), of: pair.b) == .success([65]))
    }

    @Test(arguments: [true, false])
    func switchedOffInMidTransferBothEndsEnd(atSender: Bool) {
        let pair = ClipboardPair(rate: 1_000_000)
        pair.a.copy([.png: TestContent.png(5 << 20)], now: pair.now)
        pair.run()
        let paste = pair.b.paste(.png, now: pair.now)
        pair.run(.milliseconds(500))
        #expect(pair.b.exchange.bufferedBytes > 0)
        (atSender ? pair.a : pair.b).exchange.handle(.terms(.nothing), now: pair.now)
        pair.run()
        #expect(pair.b.result(paste) == .failure(.notAllowed))
        #expect(pair.b.machine.offered.isEmpty && pair.b.machine.withdrawals == 1)
        #expect(pair.a.exchange.bufferedBytes == 0 && pair.b.exchange.bufferedBytes == 0)
        #expect(pair.a.exchange.deadline == nil && pair.b.exchange.deadline == nil)
    }

    // MARK: Limits

    @Test(arguments: [(1000, 2000), (2000, 1000)])
    func theSmallerLimitCounts(a: UInt32, b: UInt32) {
        let pair = ClipboardPair(
            a: .init(maySend: true, mayReceive: true, mostBytes: a),
            b: .init(maySend: true, mayReceive: true, mostBytes: b))
        pair.a.copy([.text: Array(repeating: 65, count: 1000)], now: pair.now)
        pair.run()
        #expect((try? pair.finish(pair.b.paste(.text, now: pair.now), of: pair.b)?.get())?.count == 1000)
        pair.a.copy([.text: Array(repeating: 65, count: 1001)], now: pair.now)
        pair.run()
        #expect(pair.finish(pair.b.paste(.text, now: pair.now), of: pair.b) == .failure(.tooLarge))
    }

    @Test func whatIsTooLargeByItsOwnAccountIsNotOffered() {
        let pair = ClipboardPair()
        pair.a.copy(
            [.text: [65], .png: TestContent.png(100)], sizes: [.png: (16 << 20) + 1], now: pair.now)
        pair.run()
        #expect(pair.b.machine.offered == [ClipboardEntry(.text)])
        #expect(pair.a.exchange.statistics.drops[.formatTooLarge] == 1)
    }

    @Test func fourTransfersAreUnderWayAtOnce() {
        let pair = ClipboardPair()
        pair.a.copy([.text: Array(repeating: 65, count: 300_000)], now: pair.now)
        pair.run()
        let pastes = (0..<5).map { _ in pair.b.paste(.text, now: pair.now) }
        let results = pastes.map { pair.finish($0, of: pair.b) }
        #expect(results[..<4].allSatisfy { (try? $0?.get().count) == 300_000 })
        #expect(results[4] == .failure(.busy))
    }

    @Test func allTransfersTogetherHaveABound() {
        var settings = ClipboardSettings()
        settings.bufferedBytes = 250_000
        let pair = ClipboardPair(settings: settings)
        pair.a.copy([.text: Array(repeating: 65, count: 100_000)], now: pair.now)
        pair.run()
        let pastes = (0..<4).map { _ in pair.b.paste(.text, now: pair.now) }
        let results = pastes.map { pair.finish($0, of: pair.b) }
        #expect(results.filter { $0 == .failure(.busy) }.count == 2)
        #expect(pair.a.mostBuffered <= 250_000 && pair.b.mostBuffered <= 250_000)
        #expect(pair.a.exchange.statistics.drops[.noRoom] == 2)
    }

    // MARK: Time

    @Test func aSilentProgramEndsThePasteInTime() {
        let pair = ClipboardPair()
        pair.a.machine.isSilent = true
        pair.a.copy([.text: [65]], now: pair.now)
        pair.run()
        let paste = pair.b.paste(.text, now: pair.now)
        pair.run(.milliseconds(14_900))
        #expect(pair.b.result(paste) == nil)
        pair.run(.milliseconds(200))
        #expect(pair.b.result(paste) == .failure(.timedOut))
        #expect(pair.b.exchange.statistics.drops[.timedOut] + pair.a.exchange.statistics.drops[.timedOut] >= 1)
        pair.run()
        #expect(pair.a.exchange.deadline == nil && pair.b.exchange.deadline == nil)
    }

    @Test func aCutInMidTransferEndsItAtBothEnds() {
        let pair = ClipboardPair(rate: 1_000_000)
        pair.a.copy([.png: TestContent.png(5 << 20)], now: pair.now)
        pair.run()
        let paste = pair.b.paste(.png, now: pair.now)
        pair.run()
        #expect(pair.b.exchange.bufferedBytes > 500_000)
        pair.a.channel.cut()
        pair.b.channel.cut()
        pair.run(.milliseconds(15_100))
        #expect(pair.b.result(paste) == .failure(.timedOut))
        #expect(pair.a.exchange.bufferedBytes == 0 && pair.b.exchange.bufferedBytes == 0)
        #expect(pair.a.exchange.statistics.drops[.timedOut] == 1)
        #expect(pair.b.exchange.statistics.drops[.timedOut] == 1)
        #expect(pair.a.exchange.deadline == nil && pair.b.exchange.deadline == nil)
    }

    @Test func aPasteThatIsGoneEndsTheTransfer() {
        let pair = ClipboardPair(rate: 1_000_000)
        pair.a.copy([.png: TestContent.png(5 << 20)], now: pair.now)
        pair.run()
        let paste = pair.b.paste(.png, now: pair.now)
        pair.run(.milliseconds(500))
        pair.b.exchange.handle(.clipboard(.unwanted(paste)), now: pair.now)
        pair.run()
        #expect(pair.b.result(paste) == nil)
        #expect(pair.a.exchange.bufferedBytes == 0 && pair.b.exchange.bufferedBytes == 0)
        #expect(pair.a.channel.sentBytes < 1 << 20)
    }

    // MARK: Content

    @Test func textIsMadeUTF8AndLosesItsNULs() {
        let pair = ClipboardPair()
        pair.a.copy([.text: [0x41, 0, 0xFF, 0x42, 0x0D, 0x0A, 0]], now: pair.now)
        pair.run()
        #expect(
            pair.finish(pair.b.paste(.text, now: pair.now), of: pair.b) == .success(Array("A\u{FFFD}B\r\n".utf8)))
    }

    @Test(arguments: [
        TestContent.png(100, width: 0), TestContent.png(100, height: 16385), Array(TestContent.png(100).prefix(23)),
        Array("GIF89a and more".utf8), [],
        [0x88] + TestContent.png(100).dropFirst(),
    ])
    func whatIsNoPictureIsRefused(content: [UInt8]) {
        let pair = ClipboardPair()
        pair.a.copy([.png: content], now: pair.now)
        pair.run()
        #expect(pair.finish(pair.b.paste(.png, now: pair.now), of: pair.b) == .failure(.failed))
        #expect(pair.a.exchange.statistics.drops[.invalid] == 1)
    }

    @Test(arguments: [(1, 1), (16384, 16384)] as [(UInt32, UInt32)])
    func picturesOfAllSizesGo(width: UInt32, height: UInt32) {
        let pair = ClipboardPair()
        let picture = TestContent.png(100, width: width, height: height)
        pair.a.copy([.png: picture], now: pair.now)
        pair.run()
        #expect(pair.finish(pair.b.paste(.png, now: pair.now), of: pair.b) == .success(picture))
    }
}
