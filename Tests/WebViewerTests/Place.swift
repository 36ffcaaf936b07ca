/// A position in CSS pixels from the page's top left corner.
struct Place: Codable {
    var x: Double
    var y: Double
}
