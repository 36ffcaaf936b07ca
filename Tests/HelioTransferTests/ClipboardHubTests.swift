import HelioCore
import HelioTransfer
import HelioTransferWire
import Testing

struct ClipboardHubTests {
    /// A host with viewers, each with its own exchange, over channels that accept everything at once.
    private final class World {
        var hub: ClipboardHub<Int>
        var host = FakeMachine()
        var viewers: [Int: ClipboardEnd] = [:]
        var now = Instant.zero
        private var nextPaste: UInt64 = 1000

        init(_ numbers: [Int]) {
            hub = ClipboardHub(terms: ClipboardPair.all, now: .zero)
            for number in numbers { join(number) }
        }

        func join(_ number: Int) {
            viewers[number] = ClipboardEnd(
                ClipboardPair.all, ClipboardSettings(), FakeChannel(rate: 1_000_000_000, delay: .zero))
            hub.handle(.open(number), now: now)
            run()
        }

        func drive(_ number: Int?) {
            hub.handle(.driver(number), now: now)
            run()
        }

        func copyAtHost(_ content: [ClipboardFormat: [UInt8]]) {
            let (serial, entries) = host.copy(content)
            hub.handle(.clipboard(.changed(serial, entries)), now: now)
            run()
        }

        /// Ends the viewer's session without a goodbye.
        func lose(_ number: Int) {
            hub.handle(.close(number), now: now)
            viewers[number] = nil
            run()
        }

        /// Refuses the last unanswered read of a viewer's clipboard.
        func refuse(_ number: Int) { answer(number, .failure(.notAllowed)) }

        func answer(_ number: Int, _ content: Result<[UInt8], ClipboardFailure>? = nil) {
            guard let viewer = viewers[number], let read = viewer.unanswered else { return }
            let copied = viewer.machine.copied?[.text] ?? []
            viewer.exchange.handle(.clipboard(.content(read, content ?? .success(copied))), now: now)
            run()
        }

        func copy(_ number: Int, _ text: String) {
            viewers[number]?.copy([.text: Array(text.utf8)], now: now)
            run()
        }

        func pasteAtHost() -> Result<[UInt8], ClipboardFailure>? {
            let id = PasteID(nextPaste)
            nextPaste += 1
            hub.handle(.clipboard(.wanted(id, .text)), now: now)
            run()
            return host.pasted[id]
        }

        func paste(_ number: Int) -> Result<[UInt8], ClipboardFailure>? {
            guard let viewer = viewers[number] else { return nil }
            let id = viewer.paste(.text, now: now)
            run()
            return viewer.result(id)
        }

        /// Runs for a second: offers are delayed by a tenth of one.
        func run() {
            for _ in 0..<100 {
                step()
                now = now + .milliseconds(10)
                hub.tick(now: now)
                for viewer in viewers.values { viewer.exchange.tick(now: now) }
            }
        }

        private func step() {
            for number in viewers.keys.sorted() { hub.handle(.room(1 << 20, of: number), now: now) }
            while let output = hub.poll() {
                switch output {
                case .send(let bytes, let number): viewers[number]?.exchange.handle(.received(bytes), now: now)
                case .clipboard(.offer(let entries)): host.offer(entries)
                case .clipboard(.withdraw): host.withdraw()
                case .clipboard(.read(let format, let serial, let limit, let id)):
                    guard let content = host.read(format, of: serial, limit: limit) else { break }
                    hub.handle(.clipboard(.content(id, content)), now: now)
                case .clipboard(.provide(let paste, let content)): host.provide(paste, content)
                }
            }
            for number in viewers.keys.sorted() {
                guard let viewer = viewers[number] else { continue }
                viewer.drain(now: now)
                while let bytes = viewer.channel.deliver(now: now) {
                    hub.handle(.received(bytes, from: number), now: now)
                }
            }
        }
    }

    private static func text(_ text: String) -> Result<[UInt8], ClipboardFailure> { .success(Array(text.utf8)) }

    @Test func onlyWhoDrivesIsOfferedTheHostsClipboard() {
        let world = World([1, 2])
        world.copyAtHost([.text: Array("host".utf8)])
        #expect(world.viewers[1]?.machine.offers == 0 && world.viewers[2]?.machine.offers == 0)
        world.drive(1)
        #expect(world.viewers[1]?.machine.offered == [ClipboardEntry(.text)])
        #expect(world.viewers[2]?.machine.offers == 0)
        #expect(world.paste(1) == Self.text("host"))
        #expect(world.paste(2) == .failure(.notAllowed))
        world.drive(2)
        #expect(world.viewers[1]?.machine.offered == [])
        #expect(world.paste(2) == Self.text("host"))
    }

    @Test func onlyWhoDrivesSends() {
        let world = World([1, 2])
        world.drive(1)
        world.copy(2, "two")
        #expect(world.host.offers == 0)
        world.copy(1, "one")
        #expect(world.host.offered == [ClipboardEntry(.text)])
        #expect(world.pasteAtHost() == Self.text("one"))
        // It is offered neither to others nor back.
        #expect(world.viewers[1]?.machine.offers == 0 && world.viewers[2]?.machine.offers == 0)

        // The next viewer with control offers its copy; the earlier one's is gone.
        world.drive(2)
        #expect(world.pasteAtHost() == Self.text("two"))
        #expect(world.viewers[1]?.machine.offers == 0 && world.viewers[2]?.machine.offers == 0)
        world.drive(nil)
        #expect(world.host.offered.isEmpty)
        #expect(world.pasteAtHost() == .failure(.gone))
    }

    @Test func aCopyAtTheHostTakesThePlaceOfAViewers() {
        let world = World([1])
        world.drive(1)
        world.copy(1, "one")
        world.copyAtHost([.text: Array("host".utf8)])
        #expect(world.paste(1) == Self.text("host"))
        #expect(world.pasteAtHost() == .failure(.gone))
        #expect(world.host.withdrawals == 0)
    }

    @Test func whatAViewerReplacedIsNotOfferedToTheNext() {
        let world = World([1, 2])
        world.copyAtHost([.text: Array("host".utf8)])
        world.drive(1)
        world.copy(1, "one")
        world.viewers[2] = nil
        world.join(3)
        world.drive(3)
        #expect(world.viewers[3]?.machine.offers == 0)
    }

    @Test func aViewerThatLeavesTakesAlongWhatTheHostDoesNotHaveYet() {
        let world = World([1])
        world.drive(1)
        world.viewers[1]?.machine.isSilent = true
        world.copy(1, "one")
        let paste = PasteID(1)
        world.hub.handle(.clipboard(.wanted(paste, .text)), now: world.now)
        world.run()
        #expect(world.host.pasted[paste] == nil)
        world.hub.handle(.close(1), now: world.now)
        world.viewers[1] = nil
        world.run()
        #expect(world.host.pasted[paste] == .failure(.notAllowed))
        #expect(world.host.withdrawals == 1)
        #expect(world.hub.deadline == nil)
        #expect(world.hub.statistics.offersReceived == 1)
        #expect(world.hub.statistics.drops[.revoked] == 1)
    }

    @Test("of a viewer that is lost the small texts stay, in the formats that the host has")
    func keepsSmallTexts() {
        let world = World([1])
        world.drive(1)
        let picture = TestContent.png(1000)
        world.viewers[1]?.copy(
            [.text: Array("one".utf8), .html: Array("<b>one".utf8), .png: picture], now: world.now)
        world.run()
        #expect(world.viewers[1]?.machine.reads == 2, "a picture goes only when it is pasted")
        #expect(world.hub.bufferedBytes == 9)
        world.lose(1)
        #expect(world.host.withdrawals == 0)
        #expect(world.host.offered.map(\.format) == [.text, .html])
        #expect(world.pasteAtHost() == Self.text("one") && world.pasteAtHost() == Self.text("one"))
        // The copy is not offered as another viewer's, and is replaced by the next copy.
        world.join(2)
        world.drive(2)
        #expect(world.viewers[2]?.machine.offers == 0)
        world.copyAtHost([.text: Array("host".utf8)])
        #expect(world.pasteAtHost() == .failure(.gone) && world.hub.bufferedBytes == 0)
    }

    @Test("what the host has fetched is pasted without asking again, and only the newest copy's")
    func pastesWhatItHas() {
        let world = World([1])
        world.drive(1)
        world.copy(1, "one")
        #expect(world.pasteAtHost() == Self.text("one") && world.pasteAtHost() == Self.text("one"))
        #expect(world.viewers[1]?.machine.reads == 1)
        world.copy(1, "two")
        #expect(world.pasteAtHost() == Self.text("two"))
        world.lose(1)
        #expect(world.pasteAtHost() == Self.text("two"))
    }

    @Test("text of more than 64 KiB is fetched when it is pasted, and goes with its viewer")
    func largeTexts() {
        let limit = ClipboardSettings.host.fetchedAhead
        for (count, stays) in [(limit, true), (limit + 1, false), (200_000, false)] {
            let world = World([1])
            world.drive(1)
            let text = Array(repeating: UInt8(ascii: "x"), count: count)
            world.viewers[1]?.copy([.text: text], now: world.now)
            world.run()
            #expect(world.hub.statistics.drops[.notKept] == (stays ? 0 : 1))
            #expect(world.pasteAtHost() == .success(text), "\(count)")
            world.lose(1)
            #expect(world.host.withdrawals == (stays ? 0 : 1))
            #expect(world.pasteAtHost() == (stays ? .success(text) : .failure(.gone)), "\(count)")
        }
    }

    /// A viewer refuses content copied before it had control, until its user allows it by pasting.
    @Test("what a viewer refuses to give ahead is asked for again when it is pasted, and stays then")
    func refusedAhead() {
        let world = World([1])
        world.viewers[1]?.machine.isRefusing = true
        world.copy(1, "one")
        world.drive(1)
        #expect(world.viewers[1]?.machine.reads == 1 && world.hub.bufferedBytes == 0)
        world.viewers[1]?.machine.isRefusing = false
        #expect(world.pasteAtHost() == Self.text("one"))
        world.lose(1)
        #expect(world.pasteAtHost() == Self.text("one"))
    }

    /// A world whose host pastes content that it is already prefetching from a viewer that has not answered.
    private func pasting() -> (World, PasteID) {
        let world = World([1])
        world.viewers[1]?.machine.isSilent = true
        world.drive(1)
        world.copy(1, "one")
        let paste = PasteID(1)
        world.hub.handle(.clipboard(.wanted(paste, .text)), now: world.now)
        return (world, paste)
    }

    @Test("a paste that meets the refusal on its way is answered all the same")
    func pastedMeanwhile() {
        let (world, paste) = pasting()
        world.run()
        // The prefetch request serves the paste as well.
        #expect(world.viewers[1]?.machine.reads == 1 && world.host.pasted[paste] == nil)
        world.viewers[1]?.machine.isSilent = false
        world.refuse(1)
        #expect(world.host.pasted[paste] == Self.text("one"))
    }

    @Test("a paste that is given up does not end what is fetched to stay")
    func pasteGivenUp() {
        let (world, paste) = pasting()
        world.hub.handle(.clipboard(.unwanted(paste)), now: world.now)
        world.run()
        world.answer(1)
        #expect(world.host.pasted[paste] == nil && world.hub.bufferedBytes == 3)
    }

    @Test("a viewer's copy that the host fetched as the viewer left stays, until something else is copied")
    func keepsWhatWasFetched() {
        let world = World([1])
        world.drive(1)
        world.viewers[1]?.copy([.text: Array("one".utf8), .html: Array("<b>one".utf8)], now: world.now)
        world.run()
        world.viewers[1]?.exchange.handle(.leaving, now: world.now)
        #expect(world.viewers[1]?.exchange.isHandingOver == true)
        world.run()
        #expect(world.viewers[1]?.exchange.isHandingOver == false)
        world.hub.handle(.close(1), now: world.now)
        world.viewers[1] = nil
        world.run()
        #expect(world.host.withdrawals == 0)
        #expect(world.pasteAtHost() == Self.text("one") && world.pasteAtHost() == Self.text("one"))
        world.hub.handle(.clipboard(.wanted(PasteID(1), .png)), now: world.now)
        world.run()
        #expect(world.host.pasted[PasteID(1)] == .failure(.gone))
        // It is replaced by another viewer's copy, and by one at the host.
        world.join(2)
        world.drive(2)
        world.copy(2, "two")
        #expect(world.pasteAtHost() == Self.text("two"))
    }

    @Test("nothing is fetched of a viewer that has nothing there, drives no more, or offers what is too large")
    func keepsNothing() {
        let world = World([1, 2, 3])
        world.drive(1)
        world.viewers[1]?.exchange.handle(.leaving, now: world.now)
        #expect(world.viewers[1]?.exchange.isHandingOver == false)

        world.copy(1, "one")
        world.drive(2)
        world.viewers[1]?.exchange.handle(.leaving, now: world.now)
        #expect(world.viewers[1]?.exchange.isHandingOver == false)

        world.viewers[2]?.copy([.text: Array(repeating: 65, count: 17 << 20)], now: world.now)
        world.run()
        world.viewers[2]?.exchange.handle(.leaving, now: world.now)
        world.run()
        #expect(world.viewers[2]?.exchange.isHandingOver == false)
        world.hub.handle(.close(2), now: world.now)
        world.viewers[2] = nil
        world.run()
        #expect(world.host.offered == [])
        #expect(world.pasteAtHost() == .failure(.gone))
    }

    @Test("what was kept goes when the host's clipboard is shared no more, or something is copied there")
    func keptGoes() {
        for isSwitchedOff in [true, false] {
            let world = World([1])
            world.drive(1)
            world.copy(1, "one")
            world.viewers[1]?.exchange.handle(.leaving, now: world.now)
            world.run()
            world.hub.handle(.close(1), now: world.now)
            world.viewers[1] = nil
            if isSwitchedOff {
                world.hub.handle(.terms(.nothing), now: world.now)
                world.run()
                #expect(world.host.withdrawals == 1)
            } else {
                world.copyAtHost([.text: [65]])
            }
            #expect(world.pasteAtHost() == .failure(.gone))
        }
    }

    @Test func theHostCanSwitchItOff() {
        let world = World([1])
        world.drive(1)
        world.copyAtHost([.text: Array("host".utf8)])
        world.hub.handle(
            .terms(.init(maySend: false, mayReceive: true, mostBytes: 1 << 20)), now: world.now)
        world.run()
        #expect(world.viewers[1]?.machine.offered == [])
        world.copy(1, "one")
        #expect(world.pasteAtHost() == Self.text("one"))
    }
}
