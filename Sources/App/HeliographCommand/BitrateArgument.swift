/// Parses a bitrate in the form that users write, `20M`, `800k` or `1500000`, to bits a second; `nil` if it is
/// malformed or not from 100k to 500M.
enum BitrateArgument {
    static func parse(_ text: String) -> Int? {
        let factor: Double
        switch text.last {
        case "M", "m": factor = 1e6
        case "k", "K": factor = 1e3
        default: factor = 1
        }
        guard let number = Double(factor == 1 ? text[...] : text.dropLast()), number.isFinite else { return nil }
        let bits = number * factor
        guard (100_000...500_000_000).contains(bits) else { return nil }
        return Int(bits)
    }
}
