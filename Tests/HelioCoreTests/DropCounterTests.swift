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
}
