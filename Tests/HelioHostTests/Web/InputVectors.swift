import Foundation

/// The vectors of `Testing/Vectors/inputs.json`, which documents itself in `about`.
struct InputVectors: Decodable {
    var cases: [Case]

    struct Case: Decodable, Sendable, CustomStringConvertible {
        var name: String
        var steps: [Step]

        var description: String { name }
    }

    struct Step: Decodable, Sendable {
        var first: UInt64
        var count: Int
        var unreadable: [UInt64]?
        var done: [UInt64]
        var next: UInt64
    }

    static func load() throws -> InputVectors {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
        return try JSONDecoder().decode(
            InputVectors.self, from: Data(contentsOf: root.appending(path: "Testing/Vectors/inputs.json")))
    }
}
