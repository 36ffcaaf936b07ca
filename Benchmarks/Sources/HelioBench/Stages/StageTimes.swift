import HelioBudgets
/// The milliseconds that one picture took at each stage of its way.
struct StageTimes {
    /// From a window system's pixels to the encoder's samples.
    var convert = 0.0
    /// Until the last slice was out.
    var encode = 0.0
    /// What the encoder does behind that, before it takes the next picture.
    var settle = 0.0
    /// Into payloads of RTP.
    var packetise = 0.0
    /// From the access unit to samples.
    var decode = 0.0
    /// From samples to a window's pixels, of what changed.
    var draw = 0.0

    private static var stages: [(String, WritableKeyPath<Self, Double>)] {
        [
            ("convert", \.convert), ("encode", \.encode), ("settle", \.settle), ("packetise", \.packetise),
            ("decode", \.decode), ("draw", \.draw),
        ]
    }

    static var names: [String] { stages.map(\.0) }

    var values: [(stage: String, milliseconds: Double)] { Self.stages.map { ($0.0, self[keyPath: $0.1]) } }

    /// The middle of each stage.
    static func median(_ all: [Self]) -> Self { merged(all, Table.median) }

    /// The longest of each stage.
    static func longest(_ all: [Self]) -> Self { merged(all) { $0.max() ?? 0 } }

    private static func merged(_ all: [Self], _ merge: ([Double]) -> Double) -> Self {
        var result = Self()
        for (_, path) in stages { result[keyPath: path] = merge(all.map { $0[keyPath: path] }) }
        return result
    }
}
