import HelioControlWire
import HelioCore
import HelioJSON

// Fields that several messages share.

extension MessageFields {
    /// Reads `x` and `y`, clamped to the picture.
    func place() throws(RemoteWireError) -> NormalizedPoint {
        let x = try coordinate("x")
        guard let point = NormalizedPoint(x: x, y: try coordinate("y")) else { throw malformed("x") }
        return point
    }

    private func coordinate(_ name: String) throws(RemoteWireError) -> Float {
        let most = Double.greatestFiniteMagnitude
        return Float(min(max(try number(name, in: -most...most), 0), 1))
    }

    func button() throws(RemoteWireError) -> PointerButton {
        guard case .string(let text)? = value("button"),
            let button = PointerButton.allCases.first(where: { $0.remoteName == text })
        else { throw malformed("button") }
        return button
    }

    func key() throws(RemoteWireError) -> KeyStroke {
        var key = try keyPlace()
        key.character = try character()
        return key
    }

    /// Reads `character`, which has to be a single Unicode scalar; `nil` if it is missing.
    private func character() throws(RemoteWireError) -> Unicode.Scalar? {
        guard let text = try optionalText("character", size: 1...4) else { return nil }
        let scalars = text.unicodeScalars
        guard let first = scalars.first, scalars.count == 1 else { throw malformed("character") }
        return first
    }

    private func keyPlace() throws(RemoteWireError) -> KeyStroke {
        let modifiers = try modifiers()
        if value("usage") != nil {
            let range = Int(USBKeyboard.usages.lowerBound)...Int(USBKeyboard.usages.upperBound)
            return KeyStroke(usage: UInt16(try integer("usage", in: range)), modifiers: modifiers)
        }
        let code = UInt16(try integer("keyCode", in: 0...Int(MacKeyCode.largest)))
        guard let key = KeyStroke(keyCode: code, modifiers: modifiers) else { throw malformed("keyCode") }
        return key
    }

    private func modifiers() throws(RemoteWireError) -> RemoteModifiers {
        guard let value = value("modifiers") else { return [] }
        guard case .array(let names) = value, names.count <= RemoteModifiers.names.count else {
            throw malformed("modifiers")
        }
        var modifiers: RemoteModifiers = []
        for name in names {
            guard case .string(let text) = name, let modifier = RemoteModifiers.names.first(where: { $0.name == text })
            else { throw malformed("modifiers") }
            modifiers.insert(modifier.modifier)
        }
        return modifiers
    }

    func viewer(_ name: String) throws(RemoteWireError) -> ViewerNumber {
        ViewerNumber(UInt32(try integer(name, in: 0...Int(UInt32.max))))
    }

    /// Reads `id`, 0 ... 2^53 - 1, of a ping or pong.
    func id() throws(RemoteWireError) -> UInt64 { try natural("id") }

    /// Reads an RTP timestamp, an unsigned integer of 32 bits.
    func timestamp(_ name: String) throws(RemoteWireError) -> UInt32 {
        UInt32(try integer(name, in: 0...Int(UInt32.max)))
    }

    /// Reads `n`, the serial number, 0 ... 2^53 - 1, of a pointer move or of a loss report.
    func order() throws(RemoteWireError) -> UInt64 { try natural("n") }

    func optionalOrder() throws(RemoteWireError) -> UInt64? { value("n") == nil ? nil : try order() }

    func natural(_ name: String) throws(RemoteWireError) -> UInt64 {
        UInt64(try integer(name, in: 0...Self.largestInteger))
    }

    func size() throws(RemoteWireError) -> PixelSize {
        let width = try integer("width", in: 1...65_535)
        return PixelSize(width: width, height: try integer("height", in: 1...65_535))
    }

    func errorReport() throws(RemoteWireError) -> RemoteErrorReport {
        let message = try text("message", size: 0...RemoteErrorReport.longestMessage)
        return RemoteErrorReport(message: message, about: try optionalText("about", size: 0...Self.longestType))
    }

    func reason() throws(RemoteWireError) -> String { try text("reason", size: 0...SignalingMessage.longestReason) }
}

extension MessageText {
    mutating func set(_ place: NormalizedPoint) {
        set("x", Double(place.x))
        set("y", Double(place.y))
    }

    mutating func set(_ button: PointerButton) { set("button", button.remoteName) }

    mutating func set(_ key: KeyStroke) {
        if let code = key.keyCode { set("keyCode", code) }
        let names = RemoteModifiers.names.filter { key.modifiers.contains($0.modifier) }
        set("modifiers", .array(names.map { .string($0.name) }))
        if key.keyCode == nil { set("usage", key.usage) }
        if let character = key.character { set("character", String(character)) }
    }

    mutating func set(_ size: PixelSize) {
        set("width", size.width)
        set("height", size.height)
    }

    mutating func set(_ report: RemoteErrorReport) {
        set("message", report.message, cutTo: RemoteErrorReport.longestMessage)
        if let about = report.about { set("about", about, cutTo: MessageFields.longestType) }
    }

    mutating func set(reason: String) { set("reason", reason, cutTo: SignalingMessage.longestReason) }
}

extension PointerButton {
    var remoteName: String {
        switch self {
        case .left: "left"
        case .middle: "middle"
        case .right: "right"
        case .back: "back"
        case .forward: "forward"
        }
    }
}

extension RemoteModifiers {
    /// The modifiers in the order in which they are written.
    static let names: [(name: String, modifier: RemoteModifiers)] = [
        ("cmd", .command), ("ctrl", .control), ("alt", .option), ("shift", .shift),
    ]
}
