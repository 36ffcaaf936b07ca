import HelioBudgets
/// The milliseconds of each stage for one picture.
struct StageTimes {
    /// Conversion of a window system's pixels to the encoder's samples.
    var convert = 0.0
    /// Encoding, until the last slice was output.
    var encode = 0.0
    /// The encoder's work after the last slice, before it accepts the next picture.
    var settle = 0.0
    /// Packetising into RTP payloads.
    var packetise = 0.0
    /// Decoding of the access unit.
    var decode = 0.0
    /// Conversion of the changed samples to a window's pixels.
    var draw = 0.0

    private static var stages: [(String, WritableKeyPath<Self, Double>)] {
        [
            ("convert", \.convert), ("encode", \.encode), ("settle", \.settle), ("packetise", \.packetise),
            ("decode", \.decode), ("draw", \.draw),
        ]
    }

    static var names: [String] { stages.map(\.0) }

    var values: [(stage: String, milliseconds: Double)] { Self.stages.map { ($0.0, self[keyPath: $0.1]) } }

    /// The median of each stage.
    static func median(_ all: [Self]) -> Self { merged(all, Table.median) }

    /// The longest of each stage.
    static func longest(_ all: [Self]) -> Self { merged(all) { $0.max() ?? 0 } }

    private static func merged(_ all: [Self], _ merge: ([Double]) -> Double) -> Self {
        var result = Self()
        for (_, path) in stages { result[keyPath: path] = merge(all.map { $0[keyPath: path] }) }
        return result
    }
}
