import HelioCore

/// Makes mutated inputs from seeds without coverage feedback; reproducible from a number.
struct Mutator {
    static let maximumSize = 4096

    private let seeds: [[UInt8]]
    private var generator: SeededGenerator

    /// - Parameter seeds: at least one.
    init(seeds: [[UInt8]], seed: UInt64) {
        precondition(!seeds.isEmpty)
        self.seeds = seeds
        generator = SeededGenerator(seed: seed)
    }

    mutating func next() -> [UInt8] {
        var bytes = seeds.randomElement(using: &generator)!
        for _ in 0..<Int.random(in: 1...6, using: &generator) { mutate(&bytes) }
        if bytes.count > Self.maximumSize { bytes.removeLast(bytes.count - Self.maximumSize) }
        return bytes
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &generator)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0 where place < bytes.count:
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1 where place < bytes.count:
            bytes[place] = .random(in: .min ... .max, using: &generator)
        case 2:
            write(Self.edges.randomElement(using: &generator)!, to: &bytes, at: place)
        case 3:
            let count = Int.random(in: 1...16, using: &generator)
            let byte = UInt8.random(in: .min ... .max, using: &generator)
            bytes.insert(contentsOf: repeatElement(byte, count: count), at: place)
        case 4:
            bytes.removeSubrange(place..<Int.random(in: place...bytes.count, using: &generator))
        case 5:
            bytes.removeLast(bytes.count - place)
        case 6:
            bytes.insert(contentsOf: piece(of: bytes), at: place)
        default:
            bytes.insert(contentsOf: piece(of: seeds.randomElement(using: &generator)!), at: place)
        }
    }

    /// Edge values of lengths and counts in one, two and four bytes.
    private static let edges: [[UInt8]] = [
        [0x00], [0x01], [0x7F], [0x80], [0xFF], [0x00, 0x00], [0x00, 0x01], [0x7F, 0xFF], [0x80, 0x00], [0xFF, 0xFF],
        [0x00, 0x00, 0x00, 0x00], [0x00, 0x00, 0x00, 0x01], [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0x00, 0x00, 0x00],
        [0xFF, 0xFF, 0xFF, 0xFF],
    ]

    private func write(_ value: [UInt8], to bytes: inout [UInt8], at place: Int) {
        bytes.replaceSubrange(place..<min(place + value.count, bytes.count), with: value)
    }

    private mutating func piece(of bytes: [UInt8]) -> [UInt8] {
        let start = Int.random(in: 0...bytes.count, using: &generator)
        let end = Int.random(in: start...min(start + 64, bytes.count), using: &generator)
        return Array(bytes[start..<end])
    }
}
