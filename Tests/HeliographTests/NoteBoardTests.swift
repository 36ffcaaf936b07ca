import Synchronization
import Testing

@testable import HelioViewing

@Suite("Notes for the user wait within a bound")
struct NoteBoardTests {
    @Test("a few notes arrive as they were written, and each rings")
    func few() {
        let rings = Atomic(0)
        let board = NoteBoard { rings.add(1, ordering: .relaxed) }
        for note in ["a", "b", "a"] { board.put(note) }
        #expect(board.takeAll() == ["a", "b", "a"])
        #expect(board.takeAll().isEmpty)
        #expect(rings.load(ordering: .relaxed) == 3)
        #expect(board.allDrops.isEmpty)
    }

    @Test("of notes that nobody reads, the newest of each text stays, and all others are counted")
    func repeated() {
        let board = NoteBoard(bell: {})
        board.put("once")
        for _ in 0..<1000 { board.put("again") }
        let notes = board.takeAll()
        #expect(notes.first == "once" && Set(notes) == ["once", "again"] && notes.count <= 64)
        #expect(board.allDrops == ["event-repeated": 1001 - notes.count])
    }

    @Test("of different notes that nobody reads, the newest stay")
    func different() {
        let board = NoteBoard(bell: {})
        for number in 0..<1000 { board.put("\(number)") }
        let notes = board.takeAll()
        #expect((32...64).contains(notes.count))
        #expect(notes == (1000 - notes.count..<1000).map { "\($0)" })
        #expect(board.allDrops == ["event-too-many": 1000 - notes.count])
    }
}
