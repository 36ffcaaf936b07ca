/// A device's human-readable name, chosen by the device itself and not authenticated.
package enum DeviceName {
    /// The maximum length of a name, in bytes of UTF-8.
    package static let longest = 48

    /// The name without characters that could mislead on a terminal (control and formatting characters, runs of
    /// spaces), truncated to `longest` bytes; `fallback` if nothing remains.
    package static func clean(_ name: String, fallback: String = "unnamed device") -> String {
        var scalars = String.UnicodeScalarView()
        var length = 0
        for scalar in name.unicodeScalars where isShown(scalar) {
            if scalar == " ", scalars.last.map({ $0 == " " }) ?? true { continue }
            length += UTF8.width(scalar)
            if length > longest { break }
            scalars.append(scalar)
        }
        if scalars.last == " " { scalars.removeLast() }
        return scalars.isEmpty ? fallback : String(scalars)
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        case .spaceSeparator: scalar == " "
        default: true
        }
    }
}
