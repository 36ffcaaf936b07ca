import Foundation

/// Golden vectors that the Swift and the web tests both read, in `Testing/Vectors`.
enum GoldenVectors {
    static func load<Content: Decodable>(_ name: String, as type: Content.Type = Content.self) throws -> Content {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized
        return try JSONDecoder().decode(type, from: Data(contentsOf: root.appending(path: "Testing/Vectors/\(name)")))
    }
}
