import HelioControlWire
import HelioCore
import HelioRemote
import HelioTransferWire
import Synchronization
import Testing

@testable import HelioSharing

@Suite("A viewer's clipboard is for a host that it drives")
struct ClipboardConsentTests {
    private static let move = InputEvent.pointerMove(x: 0.5, y: 0.5)
    private static let paste = InputEvent.key(usage: 0x19, modifiers: .leftControl, isDown: true)

    @Test("driving takes the host's word and the person's own act, and ends with another driver")
    func drives() {
        var consent = ClipboardConsent()
        consent.heard(.you)
        for event in [InputEvent.releaseAll, .requestControl, .handOver, .selectMonitor(id: "1")] {
            consent.acted(event, now: .zero)
        }
        #expect(!consent.drives)
        consent.acted(Self.move, now: .zero)
        #expect(consent.drives)
        consent.heard(.nobody)
        #expect(consent.drives, "it drove last")
        consent.heard(.other(name: "x"))
        #expect(!consent.drives)
        consent.acted(Self.move, now: .zero)
        #expect(!consent.drives)
        consent.heard(.you)
        #expect(consent.drives)
    }

    @Test(
        "what pastes, for 5 s",
        arguments: [
            (paste, true), (.key(usage: 0x19, modifiers: [.rightControl, .leftShift], isDown: true), true),
            (.key(usage: 0x19, modifiers: .leftGUI, isDown: true), true),
            (.key(usage: 0x49, modifiers: .rightShift, isDown: true), true),
            (.button(.middle, isDown: true, x: 0, y: 0), true), (.key(usage: 0x19, modifiers: [], isDown: true), false),
            (.key(usage: 0x19, modifiers: .leftControl, isDown: false), false),
            (.key(usage: 0x49, modifiers: [], isDown: true), false), (.button(.left, isDown: true, x: 0, y: 0), false),
            (.text("v"), false),
        ] as [(InputEvent, Bool)])
    func pastes(event: InputEvent, isPaste: Bool) {
        var consent = ClipboardConsent()
        #expect(!consent.hasPasted(now: .zero))
        consent.acted(event, now: .zero)
        #expect(consent.hasPasted(now: .zero + .seconds(5)) == isPaste)
        #expect(!consent.hasPasted(now: .zero + .milliseconds(5001)))
    }

    @Test("that the host has read it is told at the first time, and then once in ten minutes, in the next session too")
    func notice() {
        var notice = ClipboardReadNotice()
        let readings: [(reads: Int, second: Int)] = [
            (0, 0), (1, 1), (1, 2), (2, 3), (9, 600), (9, 700), (10, 701), (0, 800), (1, 801), (2, 1301), (2, 2000),
        ]
        let told = readings.map { notice.isDue(reads: $0.reads, now: .zero + .seconds($0.second)) }
        #expect(told == [false, true, false, false, false, false, true, false, false, true, false])
    }

    /// A clipboard that records its orders.
    private final class Access: ClipboardAccess {
        let reads = Atomic(0)
        var place: String? { nil }
        var statistics: ClipboardAccessStatistics { .init() }
        func offer(_ entries: [ClipboardEntry]) {}
        func withdraw() {}
        func read(_ format: ClipboardFormat, of serial: ClipboardSerial, limit: Int, as id: ClipboardReadID) {
            reads.add(1, ordering: .relaxed)
        }
        func provide(_ paste: PasteID, _ content: Result<[UInt8], ClipboardFailure>) {}
        func stop() {}
    }

    private static func read(_ serial: UInt64) -> ClipboardOrder {
        .read(.text, of: ClipboardSerial(serial), limit: 100, as: ClipboardReadID(serial))
    }

    @Test("a host that is only watched is given nothing, and may give nothing")
    func watched() throws {
        let access = Access()
        let handler = Mutex<(@Sendable (ClipboardEvent) -> Void)?>(nil)
        let clipboard = try #require(
            try SharedClipboard(ClipboardOptions(), isViewers: true) { tell in
                handler.withLock { $0 = tell }
                return access
            })
        let tell = try #require(handler.withLock { $0 })
        let entries = [ClipboardEntry(.text, size: 6)]
        tell(.changed(ClipboardSerial(1), entries))
        #expect(clipboard.terms == .nothing)
        // The notice that this viewer has control.
        #expect(!clipboard.heard(.you))
        #expect(clipboard.terms == .nothing)
        #expect(clipboard.acted(Self.move))
        #expect(clipboard.terms.maySend && clipboard.terms.mayReceive)

        // Earlier copies are only for explicit pastes.
        let refused = Mutex<[ClipboardReadID]>([])
        clipboard.connect { event in
            if case .content(let id, .failure(.notAllowed)) = event { refused.withLock { $0.append(id) } }
        }
        clipboard.carryOut(Self.read(1))
        #expect(access.reads.load(ordering: .relaxed) == 0)
        #expect(refused.withLock { $0 } == [ClipboardReadID(1)])
        _ = clipboard.acted(Self.paste)
        clipboard.carryOut(Self.read(1))
        #expect(access.reads.load(ordering: .relaxed) == 1)
        // Copies made while the viewer has control are shared.
        clipboard.beginAnew()
        #expect(clipboard.terms == .nothing)
        _ = clipboard.heard(.you)
        _ = clipboard.acted(Self.move)
        tell(.changed(ClipboardSerial(2), entries))
        clipboard.carryOut(Self.read(2))
        #expect(access.reads.load(ordering: .relaxed) == 2)
        #expect(clipboard.heard(.other(name: "x")))
        #expect(clipboard.terms == .nothing)
    }
}
