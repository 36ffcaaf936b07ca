import Foundation
import HelioAppleMedia
import HelioCore
import Testing

/// The shader arguments that script/check-apple uses equal those of the app, bit for bit.
@Suite("The table of the shaders' arguments")
struct ShaderTableTests {
    static let rows: [[String]] = {
        let file = URL(filePath: #filePath).appending(path: "../../../../Testing/AppleStubs/verify/shader/uniforms.tsv")
        let text = (try? String(contentsOf: file.standardized, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: "\t").map(String.init) }
    }()

    static func vectors(_ words: some Sequence<String>) -> [SIMD4<Float>] {
        let numbers = words.compactMap { Float($0) }
        return stride(from: 0, to: numbers.count - 3, by: 4).map {
            SIMD4(numbers[$0], numbers[$0 + 1], numbers[$0 + 2], numbers[$0 + 3])
        }
    }

    @Test(
        "conversions", arguments: [("601", ColorDescription.bt601), ("709", .bt709)],
        [("limited", false), ("full", true)])
    func conversions(matrix: (name: String, color: ColorDescription), range: (name: String, isFull: Bool)) throws {
        var color = matrix.color
        color.isFullRange = range.isFull
        let row = try #require(Self.rows.first { $0.prefix(2) == [matrix.name, range.name] })
        let conversion = ColorConversion(
            PictureDescription(size: PixelSize(width: 64, height: 64), chroma: .yuv420, color: color))
        #expect(conversion.uniforms == Self.vectors(row.dropFirst(2)))
        #expect(conversion.uniforms.withUnsafeBytes(\.count) == 64)
    }

    @Test("the quad of the left half of a view")
    func quad() throws {
        let row = try #require(Self.rows.first { $0.first == "quad" })
        let quad = Quad(PixelRect(x: 0, y: 0, width: 2, height: 2), in: PixelSize(width: 4, height: 2))
        #expect(quad.corners == Self.vectors(row.dropFirst()))
    }
}
