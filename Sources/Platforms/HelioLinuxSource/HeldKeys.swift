/// The keys and buttons that are held down, as a bit set of X keycodes and button numbers.
struct HeldKeys: Equatable {
    /// One bit for each of 256 keycodes, then of 32 buttons; the lowest bit of each byte comes first.
    private(set) var bits = [UInt8](repeating: 0, count: 36)

    mutating func set(key: UInt8, isDown: Bool) { set(Int(key), isDown) }
    mutating func set(button: UInt8, isDown: Bool) { set(256 + Int(button & 31), isDown) }

    func contains(key: UInt8) -> Bool { isSet(Int(key)) }

    var keys: [UInt8] { (0...UInt8.max).filter { isSet(Int($0)) } }
    var buttons: [UInt8] { (0..<32 as Range<UInt8>).filter { isSet(256 + Int($0)) } }

    func union(_ other: HeldKeys) -> HeldKeys {
        var all = self
        for index in bits.indices { all.bits[index] |= other.bits[index] }
        return all
    }

    private func isSet(_ bit: Int) -> Bool { bits[bit / 8] >> UInt8(bit % 8) & 1 == 1 }

    private mutating func set(_ bit: Int, _ isDown: Bool) {
        let mask = UInt8(1) << UInt8(bit % 8)
        if isDown { bits[bit / 8] |= mask } else { bits[bit / 8] &= ~mask }
    }
}
