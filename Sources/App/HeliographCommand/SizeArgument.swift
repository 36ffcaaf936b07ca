internal import ArgumentParser
internal import HelioCore

/// Parses a size in the form that users write, `1280x720`. Throws an error that names the option.
enum SizeArgument {
    static func parse(_ text: String, of option: String = "--max-size") throws -> PixelSize {
        let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1],
            (16...16384).contains(width), (16...16384).contains(height)
        else {
            throw ValidationError(
                "\(option) \(text): give WIDTHxHEIGHT, 16 to 16384 pixels each, such as 1280x720.")
        }
        return PixelSize(width: width, height: height)
    }
}
