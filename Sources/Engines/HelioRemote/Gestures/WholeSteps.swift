/// Accumulates fractional displacements, and returns them as whole steps.
struct WholeSteps {
    private var rest = Place(x: 0, y: 0)

    mutating func take(_ way: Place) -> (dx: Int, dy: Int) {
        (Self.whole(way.x, &rest.x), Self.whole(way.y, &rest.y))
    }

    private static func whole(_ way: Double, _ rest: inout Double) -> Int {
        rest += way
        let steps = rest.rounded(.towardZero)
        rest -= steps
        return Int(exactly: steps) ?? 0
    }
}
