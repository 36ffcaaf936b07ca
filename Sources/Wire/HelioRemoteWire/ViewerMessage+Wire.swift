import HelioCore
import HelioJSON

extension ViewerMessage {
    /// The value of the message's JSON field `type`.
    public var type: String {
        switch self {
        case .mouseMove: "mouseMove"
        case .mouseTo: "mouseTo"
        case .mouseDown: "mouseDown"
        case .mouseUp: "mouseUp"
        case .click: "click"
        case .scroll: "scroll"
        case .keyDown: "keyDown"
        case .keyUp: "keyUp"
        case .keyPress: "keyPress"
        case .text: "text"
        case .locks: "locks"
        case .releaseAll: "releaseAll"
        case .alive: "alive"
        case .requestControl: "requestControl"
        case .handOver: "handOver"
        case .selectMonitor: "selectMonitor"
        case .ping: "ping"
        case .audioEnabled: "audioEnabled"
        case .audioVolume: "audioVolume"
        case .audioOffer: "audioOffer"
        case .inputs: "inputs"
        case .videoEnabled: "videoEnabled"
        case .quality: "quality"
        case .keepsCursors: "keepsCursors"
        case .ownPicture: "ownPicture"
        case .pictureLost: "pictureLost"
        case .pictureSeen: "pictureSeen"
        }
    }

    /// Parses a whole message of at most ``maximumSize`` bytes.
    public init(parsing bytes: RawSpan) throws(RemoteWireError) {
        let limits = JSONLimits(bytes: Self.maximumSize, values: Self.mostValues)
        let fields = try MessageFields(parsing: bytes, limits: limits)
        if fields.type == "inputs", bytes.byteCount > NumberedInputs.maximumSize { throw fields.malformed("list") }
        try self.init(fields)
    }

    private init(_ fields: MessageFields) throws(RemoteWireError) {
        switch fields.type {
        case "mouseMove": self = .mouseMove(try PointerStep(fields))
        case "mouseTo":
            let place = try fields.place()
            self = .mouseTo(place, order: try fields.order())
        case "mouseDown": self = .mouseDown(try fields.button(), at: try PressPlace.optional(fields))
        case "mouseUp": self = .mouseUp(try fields.button(), at: try PressPlace.optional(fields))
        case "click":
            let button = try fields.button()
            let count = try fields.integer("count", in: 1...2)
            self = .click(button, count: count, at: try PressPlace.optional(fields))
        case "scroll":
            let range = -Self.farthestScroll...Self.farthestScroll
            let dx = try fields.number("dx", in: range)
            self = .scroll(dx: dx, dy: try fields.number("dy", in: range))
        case "keyDown": self = .keyDown(try fields.key())
        case "keyUp": self = .keyUp(try fields.key())
        case "keyPress": self = .keyPress(try fields.key())
        case "text": self = .text(try fields.text("characters", size: 1...Self.longestText))
        case "locks":
            let caps = fields.value("caps") == nil ? nil : try fields.flag("caps")
            self = .locks(LockState(caps: caps, num: fields.value("num") == nil ? nil : try fields.flag("num")))
        case "releaseAll": self = .releaseAll
        case "alive": self = .alive
        case "requestControl": self = .requestControl
        case "handOver": self = .handOver(to: fields.isNull("to") ? nil : try fields.viewer("to"))
        case "selectMonitor":
            self = .selectMonitor(id: try fields.text("id", size: 1...HostMessage.longestMonitorID))
        case "ping": self = .ping(id: try fields.id())
        case "audioEnabled": self = .audioEnabled(try fields.flag("enabled"))
        case "audioVolume": self = .audioVolume(try fields.number("level", in: 0...1))
        case "audioOffer":
            let sdp = try fields.text("sdp", size: 1...Self.longestOffer)
            self = .audioOffer(sdp: sdp, inStep: try fields.optionalFlag("inStep"))
        case "inputs":
            let first = try fields.natural("first")
            var inputs: [ViewerMessage?] = []
            for entry in try fields.messages("list", count: 1...NumberedInputs.most) {
                inputs.append(entry.flatMap(Self.input))
            }
            self = .inputs(NumberedInputs(first: first, inputs: inputs, sentAt: try fields.natural("at")))
        case "videoEnabled": self = .videoEnabled(try fields.flag("enabled"))
        case "quality": self = .quality(try PictureWish(fields))
        case "keepsCursors": self = .keepsCursors
        case "ownPicture":
            let isEnabled = try fields.flag("enabled")
            self = .ownPicture(enabled: isEnabled, repairs: try fields.optionalFlag("repairs"))
        case "pictureLost":
            let whole = fields.value("whole") == nil ? nil : try fields.timestamp("whole")
            self = .pictureLost(whole: whole, order: try fields.order())
        case "pictureSeen":
            let timestamp = try fields.timestamp("at")
            self = .pictureSeen(
                timestamp: timestamp, milliseconds: try fields.number("ms", in: 0...Self.longestDelay))
        default: throw .unknownType(fields.type)
        }
    }

    /// Reads one of several numbered inputs; `nil` if it is not an input.
    private static func input(_ fields: MessageFields) -> ViewerMessage? {
        // Numbered inputs can't be nested.
        guard fields.type != "inputs", let message = try? ViewerMessage(fields), message.isInput else { return nil }
        return message
    }

    /// The message as JSON in UTF-8.
    public func serialised() -> [UInt8] {
        var text = MessageText(type)
        write(to: &text)
        return text.serialised()
    }

    private func write(to text: inout MessageText) {
        switch self {
        case .mouseMove(let step): step.write(to: &text)
        case .mouseTo(let place, let order):
            text.set(place)
            text.set("n", order)
        case .mouseDown(let button, let place), .mouseUp(let button, let place):
            text.set(button)
            place?.write(to: &text)
        case .click(let button, let count, let place):
            text.set(button)
            text.set("count", count)
            place?.write(to: &text)
        case .scroll(let dx, let dy):
            text.set("dx", dx)
            text.set("dy", dy)
        case .keyDown(let key), .keyUp(let key), .keyPress(let key): text.set(key)
        case .text(let characters): text.set("characters", characters)
        case .locks(let locks):
            if let caps = locks.caps { text.set("caps", caps) }
            if let num = locks.num { text.set("num", num) }
        case .releaseAll, .alive, .requestControl, .keepsCursors: break
        case .handOver(let viewer): text.set("to", viewer.map { JSON($0.rawValue) } ?? .null)
        case .selectMonitor(let id): text.set("id", id)
        case .ping(let id): text.set("id", id)
        case .audioEnabled(let enabled): text.set("enabled", enabled)
        case .audioVolume(let level): text.set("level", level)
        case .audioOffer(let sdp, let inStep):
            text.set("sdp", sdp)
            if inStep { text.set("inStep", true) }
        case .inputs(let numbered):
            text.set("first", numbered.first)
            text.set("list", .array(numbered.inputs.map { $0?.json ?? .null }))
            text.set("at", numbered.sentAt)
        case .videoEnabled(let enabled): text.set("enabled", enabled)
        case .quality(let wish):
            if let most = wish.most { text.set("most", most.bitsPerSecond) }
            if let preference = wish.prefers { text.set("prefers", preference.rawValue) }
        case .ownPicture(let enabled, let repairs):
            text.set("enabled", enabled)
            text.set("repairs", repairs)
        case .pictureLost(let whole, let order):
            if let whole { text.set("whole", whole) }
            text.set("n", order)
        case .pictureSeen(let timestamp, let milliseconds):
            text.set("at", timestamp)
            text.set("ms", milliseconds)
        }
    }

    private var json: JSON { MessageText.message(type) { write(to: &$0) } }
}

extension PictureWish {
    fileprivate init(_ fields: MessageFields) throws(RemoteWireError) {
        self.init()
        if fields.value("most") != nil {
            most = Bitrate(bitsPerSecond: try fields.integer("most", in: Self.range))
        }
        if fields.value("prefers") != nil { prefers = try fields.name("prefers", of: Preference.self) }
    }
}

extension PressPlace {
    /// Reads `x` and `y`, with the optional order; `nil` if both coordinates are missing. Throws if only one is
    /// missing.
    fileprivate static func optional(_ fields: MessageFields) throws(RemoteWireError) -> PressPlace? {
        if fields.value("x") == nil && fields.value("y") == nil { return nil }
        let point = try fields.place()
        return PressPlace(point, order: try fields.optionalOrder())
    }

    fileprivate func write(to text: inout MessageText) {
        text.set(point)
        if let order { text.set("n", order) }
    }
}

extension PointerStep {
    fileprivate init(_ fields: MessageFields) throws(RemoteWireError) {
        let range = -ViewerMessage.farthestStep...ViewerMessage.farthestStep
        let dx = try fields.number("dx", in: range)
        self.init(dx: dx, dy: try fields.number("dy", in: range))
        if fields.value("tx") != nil || fields.value("ty") != nil {
            let x = UInt32(try fields.integer("tx", in: 0...Int(Int32.max)))
            let y = UInt32(try fields.integer("ty", in: 0...Int(Int32.max)))
            totals = Totals(x: x, y: y, order: try fields.optionalOrder())
        }
    }

    fileprivate func write(to text: inout MessageText) {
        text.set("dx", dx)
        text.set("dy", dy)
        if let totals {
            text.set("tx", totals.x)
            text.set("ty", totals.y)
            if let order = totals.order { text.set("n", order) }
        }
    }
}
