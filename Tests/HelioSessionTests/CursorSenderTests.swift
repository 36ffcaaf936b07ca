import HelioCore
import Testing

@testable import HelioSession

@Suite struct CursorSenderTests {
    private static func shape(_ value: Int, side: Int = 8) -> CursorShape {
        CursorShape(
            size: PixelSize(width: side, height: side), hotspotX: 0, hotspotY: 0,
            rgba: (0..<side * side).flatMap { _ in [UInt8(value & 0xFF), UInt8(value >> 8), 0, 255] })
    }

    @Test("a shape goes once, and by its number where the viewer keeps it")
    func names() {
        var sender = CursorSender(isNaming: true)
        let told = [1, 2, 1, 1, 2, 3].map { value -> CursorSender.Message? in
            sender.show(Self.shape(value))
            return sender.poll(now: .zero)
        }
        #expect(
            told == [
                .shape(Self.shape(1), number: 0), .shape(Self.shape(2), number: 1), .again(0), nil, .again(1),
                .shape(Self.shape(3), number: 2),
            ])
        var plain = CursorSender()
        for _ in 0..<2 {
            for value in [1, 2] {
                plain.show(Self.shape(value))
                #expect(plain.poll(now: .zero) == .shape(Self.shape(value), number: nil))
            }
        }
    }

    @Test("both ends forget the same shapes, in number and in bytes; numbers are never used again")
    func forgets() {
        var (sender, receiver) = (CursorList(), CursorList())
        for value in 0..<1000 {
            // Every fourth shape is large: the list holds only sixteen of those.
            let shape = Self.shape(value, side: value % 4 == 0 && value > 500 ? 256 : 8)
            #expect(sender.add(shape) == receiver.add(shape))
            #expect(sender.count == receiver.count && sender.count <= CursorList.mostShapes)
            for number in max(0, value - 300)...value {
                let number = UInt32(number)
                #expect((sender[number] == nil) == (receiver[number] == nil))
                if let kept = sender[number] { #expect(sender.number(of: kept) == number) }
            }
        }
        #expect(sender.count < 100)
        #expect(sender[0] == nil && sender[999] == Self.shape(999))
    }

    @Test("new shapes without end keep within a rate; the newest goes when there is room, and the rest are counted")
    func rate() throws {
        var sender = CursorSender(isNaming: true)
        var (bytes, names) = (0, 0)
        for tick in 0..<3000 {
            let now = Instant.zero + .milliseconds(33 * tick)
            sender.show(Self.shape(tick, side: 96))
            switch sender.poll(now: now) {
            case .shape(let shape, _): bytes += shape.rgba.count
            case .again: names += 1
            case nil: break
            }
        }
        let most = CursorSender.burst + CursorSender.bytesPerSecond * 99 + 2 * 96 * 96 * 4
        #expect((CursorSender.burst...most).contains(bytes), "\(bytes)")
        #expect(names == 0 && sender.skipped > 2500)
        // Without further changes the last shape is sent at the deadline.
        let newest = Self.shape(3000, side: 96)
        sender.show(newest)
        let due = try #require(sender.deadline)
        #expect(sender.poll(now: due.at + .microseconds(-10)) == nil)
        guard case .shape(newest, _)? = sender.poll(now: due.at) else {
            Issue.record("the newest does not go when it may")
            return
        }
        sender.show(newest)
        #expect(sender.deadline == nil && sender.poll(now: due.at + .seconds(60)) == nil)
    }
}
