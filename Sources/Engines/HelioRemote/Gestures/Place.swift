/// A position in the view, or the displacement between two, in points.
struct Place: Hashable, Sendable {
    var x: Double
    var y: Double

    var length: Double { (x * x + y * y).squareRoot() }

    static func + (a: Place, b: Place) -> Place { Place(x: a.x + b.x, y: a.y + b.y) }
    static func - (a: Place, b: Place) -> Place { Place(x: a.x - b.x, y: a.y - b.y) }
    static func * (a: Place, factor: Double) -> Place { Place(x: a.x * factor, y: a.y * factor) }
    static func / (a: Place, divisor: Double) -> Place { Place(x: a.x / divisor, y: a.y / divisor) }
}
