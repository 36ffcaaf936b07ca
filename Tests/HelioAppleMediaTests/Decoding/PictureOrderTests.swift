import HelioAppleMedia
import Testing

@Suite("The order in which pictures are shown")
struct PictureOrderTests {
    private func shown(_ order: inout PictureOrder<Int64>, _ times: [Int64], depth: Int) -> [Int64?] {
        times.map { order.put($0, time: $0, depth: depth) }
    }

    @Test("nothing is held where nothing is reordered, not even a time that goes back")
    func direct() {
        var order = PictureOrder<Int64>()
        #expect(shown(&order, [0, 1, 5, 3, 4], depth: 0) == [0, 1, 5, 3, 4] && order.dropped == 0)
    }

    @Test("pictures between are held back as long as the stream says, and one goes out for each that comes")
    func reordered() {
        var order = PictureOrder<Int64>()
        // I P B B P B B in decoding order.
        #expect(shown(&order, [0, 3, 1, 2, 6, 4, 5], depth: 2) == [nil, nil, 0, 1, 2, 3, 4])
        #expect(shown(&order, [9, 7], depth: 2) == [5, 6] && order.dropped == 0)
    }

    @Test("one that comes after a later one went out is dropped, and counted")
    func late() {
        var order = PictureOrder<Int64>()
        #expect(shown(&order, [0, 4, 8, 2, 12], depth: 1) == [nil, 0, 4, nil, 8])
        #expect(order.dropped == 1)
    }

    @Test("of pictures with one time none is lost, and they keep their order (row 77)")
    func sameTime() {
        var order = PictureOrder<String>()
        let shown = ["a", "b", "c"].map { order.put($0, time: 7, depth: 1) }
        #expect(shown == [nil, "a", "b"] && order.put("d", time: 8, depth: 1) == "c")
    }

    @Test("where the depth shrinks, only the newest of what is due goes out")
    func shrunk() {
        var order = PictureOrder<Int64>()
        #expect(shown(&order, [0, 1, 2, 3], depth: 4) == [nil, nil, nil, nil])
        #expect(order.put(4, time: 4, depth: 1) == 3 && order.dropped == 3)
        #expect(order.put(5, time: 5, depth: 0) == 5 && order.dropped == 4)
    }

    @Test("after a reset earlier times count again, and nothing held comes out")
    func reset() {
        var order = PictureOrder<Int64>()
        _ = shown(&order, [100, 101, 102], depth: 2)
        order.reset()
        #expect(shown(&order, [0, 1, 2], depth: 2) == [nil, nil, 0] && order.dropped == 0)
    }
}
