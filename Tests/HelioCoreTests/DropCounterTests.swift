import HelioCore
import Testing

@Suite struct DropCounterTests {
    private enum Reason: String, CaseIterable {
        case late
        case duplicate
        case never
    }

    @Test func countsByName() {
        var drops = DropCounter<Reason>()
        drops.count(.late, 2)
        drops.count(.duplicate)
        drops.count(.late)
        drops.count(.never, 0)
        #expect(drops[.late] == 3)
        #expect(drops[.never] == 0)
        #expect(drops.total == 4)
        #expect(drops.byName == ["duplicate": 1, "late": 3])
    }

    @Test func addsThoseOfAnother() {
        var (one, other) = (DropCounter<Reason>(), DropCounter<Reason>())
        one.count(.late, 2)
        other.count(.late)
        other.count(.duplicate)
        one.add(other)
        #expect(one.byName == ["duplicate": 1, "late": 3])
        #expect(other.byName == ["duplicate": 1, "late": 1])
    }

    private struct Part: DropCounting {
        var drops = DropCounter<Reason>()
        var parts: [Part] = []
        var refused = 0

        var allDrops: [String: Int] { .sum(drops.named("part-"), parts.allDrops, parts.first, ["refused": refused]) }
    }

    @Test func addsUpWhatAPartAndItsPartsHaveDropped() {
        #expect(Part().allDrops.isEmpty)
        var (inner, outer) = (Part(refused: 3), Part(refused: 1))
        inner.drops.count(.late, 2)
        outer.drops.count(.late)
        outer.drops.count(.duplicate)
        outer.parts = [inner, Part(refused: 4)]
        #expect(outer.allDrops == ["part-late": 5, "part-duplicate": 1, "refused": 11])
        #expect(outer.named("a-") == ["a-part-late": 5, "a-part-duplicate": 1, "a-refused": 11])
    }

    @Test func addsPartsToEarlierDrops() {
        var drops = DropCounter<Reason>()
        drops.count(.late)
        let none: DropCounter<Reason>? = nil
        var all = ["late": 2]
        all.add(none, drops, none?.named("a-"), ["never": 0, "refused": 1])
        #expect(all == ["late": 3, "refused": 1])
    }
}
