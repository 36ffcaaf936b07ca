/// In pixels of the page, from its top left corner.
struct Place: Codable {
    var x: Double
    var y: Double
}
