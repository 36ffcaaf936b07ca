import HelioCore
import HelioJSON

extension HostMessage {
    /// The value of the message's JSON field `type`.
    public var type: String {
        switch self {
        case .screenInfo: "screenInfo"
        case .takes: "takes"
        case .inputsDone: "inputsDone"
        case .inputRate: "inputRate"
        case .cursorPos: "cursorPos"
        case .cursorShape: "cursorShape"
        case .cursorAgain: "cursorAgain"
        case .control: "control"
        case .controlRequested: "controlRequested"
        case .viewers: "viewers"
        case .monitors: "monitors"
        case .audioSources: "audioSources"
        case .audioAnswer: "audioAnswer"
        case .soundTime: "soundTime"
        case .ticket: "ticket"
        case .paired: "paired"
        case .pong: "pong"
        case .error: "error"
        case .bye: "bye"
        }
    }

    /// Parses a whole message of at most ``maximumSize`` bytes.
    public init(parsing bytes: RawSpan) throws(RemoteWireError) {
        let fields = try MessageFields(parsing: bytes, limits: JSONLimits(bytes: Self.maximumSize, values: 4096))
        switch fields.type {
        case "screenInfo":
            let size = try fields.size()
            self = .screenInfo(size, scale: try fields.number("scale", in: Self.scales))
        case "takes":
            self = .takes(try fields.texts("types", most: Self.mostTypes, size: 1...MessageFields.longestType))
        case "inputsDone":
            let next = try fields.natural("next")
            self = .inputsDone(next: next, sentAt: try fields.natural("at"))
        case "inputRate": self = .inputRate(try fields.integer("perSecond", in: Self.inputRates))
        case "cursorPos":
            let x = try fields.integer("x", in: -65_535...65_535)
            self = .cursorPos(x: x, y: try fields.integer("y", in: -65_535...65_535))
        case "cursorShape":
            let shape = try CursorShape(fields)
            let number = fields.value("number") == nil ? nil : try fields.cursorNumber()
            self = .cursorShape(shape, number: number)
        case "cursorAgain": self = .cursorAgain(number: try fields.cursorNumber())
        case "control": self = .control(try ControlState(fields))
        case "controlRequested":
            let viewer = try fields.viewer("viewer")
            self = .controlRequested(viewer, name: try fields.text("name", size: 0...Self.longestName))
        case "viewers":
            var list: [ViewerEntry] = []
            for entry in try fields.list("list", most: Self.mostViewers) { list.append(try ViewerEntry(entry)) }
            self = .viewers(list)
        case "monitors":
            var list: [MonitorEntry] = []
            for entry in try fields.list("list", most: Self.mostMonitors) { list.append(try MonitorEntry(entry)) }
            let selected = try fields.optionalText("selected", size: 1...Self.longestMonitorID)
            guard selected == nil || list.contains(where: { $0.id == selected }) else {
                throw fields.malformed("selected")
            }
            self = .monitors(list, selected: selected)
        case "audioSources":
            var origins: Set<SoundOrigin> = []
            for origin in SoundOrigin.allCases {
                if try fields.flag(origin.rawValue) { origins.insert(origin) }
            }
            self = .audioSources(origins)
        case "audioAnswer":
            self = .audioAnswer(sdp: try fields.text("sdp", size: 1...SignalingMessage.longestDescription))
        case "soundTime":
            let at = try fields.word("at")
            self = .soundTime(at: at, picture: try fields.word("picture"))
        case "ticket": self = .ticket(try fields.bytes("ticket", count: Self.secretLengths))
        case "paired":
            let device = try fields.bytes("device", count: SignalingMessage.deviceLength)
            self = .paired(device: device, secret: try fields.bytes("secret", count: Self.secretLengths))
        case "pong": self = .pong(id: try fields.id())
        case "error": self = .error(try fields.errorReport())
        case "bye": self = .bye(reason: try fields.reason())
        default: throw .unknownType(fields.type)
        }
    }

    /// The message as JSON in UTF-8; texts beyond their limits are cut, and lists beyond theirs end early.
    public func serialised() -> [UInt8] {
        var text = MessageText(type)
        switch self {
        case .screenInfo(let size, let scale):
            text.set(size)
            text.set("scale", scale)
        case .takes(let types): text.set("types", .array(types.map(JSON.string)))
        case .inputsDone(let next, let sentAt):
            text.set("next", next)
            text.set("at", sentAt)
        case .inputRate(let rate): text.set("perSecond", rate)
        case .cursorPos(let x, let y):
            text.set("x", x)
            text.set("y", y)
        case .cursorShape(let shape, let number):
            if let number { text.set("number", number) }
            text.set(shape.size)
            text.set("x", shape.hotspotX)
            text.set("y", shape.hotspotY)
            text.set("rgba", shape.rgba)
        case .cursorAgain(let number): text.set("number", number)
        case .control(let state): state.write(to: &text)
        case .controlRequested(let viewer, let name):
            text.set("viewer", viewer.rawValue)
            text.set("name", name, cutTo: Self.longestName)
        case .viewers(let list): text.set("list", .array(list.prefix(Self.mostViewers).map { $0.json }))
        case .monitors(let list, let selected):
            text.set("list", .array(list.prefix(Self.mostMonitors).map { $0.json }))
            text.set("selected", selected.map(JSON.string) ?? .null)
        case .audioSources(let origins):
            for origin in SoundOrigin.allCases { text.set(origin.rawValue, origins.contains(origin)) }
        case .audioAnswer(let sdp): text.set("sdp", sdp)
        case .soundTime(let at, let picture):
            text.set("at", at)
            text.set("picture", picture)
        case .ticket(let ticket): text.set("ticket", ticket)
        case .paired(let device, let secret):
            text.set("device", device)
            text.set("secret", secret)
        case .pong(let id): text.set("id", id)
        case .error(let report): text.set(report)
        case .bye(let reason): text.set(reason: reason)
        }
        return text.serialised()
    }

    private static let scales = 0.1...16.0
    private static let secretLengths = 10...64
}

extension MessageFields {
    /// Reads the number of a pointer shape.
    fileprivate func cursorNumber() throws(RemoteWireError) -> UInt32 { try word("number") }

    /// Reads a number of 32 bits.
    fileprivate func word(_ name: String) throws(RemoteWireError) -> UInt32 {
        UInt32(clamping: try integer(name, in: 0...Int(UInt32.max)))
    }
}

extension CursorShape {
    fileprivate init(_ fields: MessageFields) throws(RemoteWireError) {
        let sides = 1...HostMessage.largestCursorSide
        let size = PixelSize(
            width: try fields.integer("width", in: sides), height: try fields.integer("height", in: sides))
        let x = try fields.integer("x", in: 0...size.width - 1)
        let y = try fields.integer("y", in: 0...size.height - 1)
        self.init(size: size, hotspotX: x, hotspotY: y, rgba: try fields.bytes("rgba", count: size.area * 4))
    }
}

extension ControlState {
    private enum Name: String {
        case yours
        case free
        case taken
        case forbidden
    }

    fileprivate init(_ fields: MessageFields) throws(RemoteWireError) {
        switch try fields.name("state", of: Name.self) {
        case .yours: self = .yours
        case .free: self = .free
        case .taken: self = .taken(by: fields.value("by") == nil ? nil : try fields.viewer("by"))
        case .forbidden: self = .forbidden
        }
    }

    fileprivate func write(to text: inout MessageText) {
        switch self {
        case .yours: text.set("state", Name.yours.rawValue)
        case .free: text.set("state", Name.free.rawValue)
        case .taken(let viewer):
            text.set("state", Name.taken.rawValue)
            if let viewer { text.set("by", viewer.rawValue) }
        case .forbidden: text.set("state", Name.forbidden.rawValue)
        }
    }
}

extension ViewerEntry {
    fileprivate init(_ fields: MessageFields) throws(RemoteWireError) {
        let viewer = try fields.viewer("viewer")
        let name = try fields.text("name", size: 0...HostMessage.longestName)
        let drives = try fields.flag("drives")
        self.init(viewer: viewer, name: name, drives: drives, isYou: try fields.flag("you"))
    }

    fileprivate var json: JSON {
        MessageText.part {
            $0.set("viewer", viewer.rawValue)
            $0.set("name", name, cutTo: HostMessage.longestName)
            $0.set("drives", drives)
            $0.set("you", isYou)
        }
    }
}

extension MonitorEntry {
    fileprivate init(_ fields: MessageFields) throws(RemoteWireError) {
        let id = try fields.text("id", size: 1...HostMessage.longestMonitorID)
        let name = try fields.text("name", size: 0...HostMessage.longestName)
        let size = try fields.size()
        self.init(id: id, name: name, size: size, isPrimary: try fields.flag("primary"))
    }

    fileprivate var json: JSON {
        MessageText.part {
            $0.set("id", id)
            $0.set("name", name, cutTo: HostMessage.longestName)
            $0.set(size)
            $0.set("primary", isPrimary)
        }
    }
}
