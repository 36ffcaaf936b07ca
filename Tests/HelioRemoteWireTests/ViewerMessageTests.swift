import HelioControlWire
import HelioCore
import HelioJSON
import HelioRemoteWire
import Testing

@Suite("Messages from the viewer")
struct ViewerMessageTests {
    private static let place = NormalizedPoint(x: 0.25, y: 1)!

    private static let vectors: [MessageVector<ViewerMessage>] = [
        .init(.mouseMove(PointerStep(dx: 10, dy: -5)), #"{"type":"mouseMove","dx":10,"dy":-5}"#),
        .init(
            .mouseMove(PointerStep(dx: 0.5, dy: 0, totals: .init(x: 0, y: 2_147_483_647))),
            #"{"type":"mouseMove","dx":0.5,"dy":0,"tx":0,"ty":2147483647}"#),
        .init(
            .mouseMove(PointerStep(dx: 1, dy: 0, totals: .init(x: 1, y: 0, order: 7))),
            #"{"type":"mouseMove","dx":1,"dy":0,"tx":1,"ty":0,"n":7}"#),
        .init(
            .mouseTo(place, order: 9_007_199_254_740_991), #"{"type":"mouseTo","x":0.25,"y":1,"n":9007199254740991}"#),
        .init(.mouseDown(.left, at: nil), #"{"type":"mouseDown","button":"left"}"#),
        .init(.mouseDown(.back, at: PressPlace(place)), #"{"type":"mouseDown","button":"back","x":0.25,"y":1}"#),
        .init(.mouseUp(.right, at: nil), #"{"type":"mouseUp","button":"right"}"#),
        .init(
            .mouseUp(.forward, at: PressPlace(place, order: 0)),
            #"{"type":"mouseUp","button":"forward","x":0.25,"y":1,"n":0}"#),
        .init(.click(.left, count: 2, at: nil), #"{"type":"click","button":"left","count":2}"#),
        .init(
            .click(.middle, count: 1, at: PressPlace(place, order: 9_007_199_254_740_991)),
            #"{"type":"click","button":"middle","count":1,"x":0.25,"y":1,"n":9007199254740991}"#),
        .init(.scroll(dx: 0, dy: -120), #"{"type":"scroll","dx":0,"dy":-120}"#),
        .init(.keyDown(KeyStroke(usage: 0x04)), #"{"type":"keyDown","keyCode":0,"modifiers":[]}"#),
        .init(
            .keyUp(KeyStroke(usage: 0x29, modifiers: [.command, .control, .option, .shift])),
            #"{"type":"keyUp","keyCode":53,"modifiers":["cmd","ctrl","alt","shift"]}"#),
        // The Pause key, for which macOS has no code.
        .init(
            .keyPress(KeyStroke(usage: 0x48, modifiers: .shift)),
            #"{"type":"keyPress","modifiers":["shift"],"usage":72}"#),
        .init(
            .keyDown(KeyStroke(usage: 0x04, character: "é")),
            #"{"type":"keyDown","keyCode":0,"modifiers":[],"character":"é"}"#),
        .init(.locks(LockState(caps: true, num: false)), #"{"type":"locks","caps":true,"num":false}"#),
        .init(.locks(LockState()), #"{"type":"locks"}"#),
        .init(.text("é\"\n😀"), #"{"type":"text","characters":"é\"\n😀"}"#),
        .init(.releaseAll, #"{"type":"releaseAll"}"#),
        .init(.alive, #"{"type":"alive"}"#),
        .init(.requestControl, #"{"type":"requestControl"}"#),
        .init(.handOver(to: ViewerNumber(.max)), #"{"type":"handOver","to":4294967295}"#),
        .init(.handOver(to: nil), #"{"type":"handOver","to":null}"#),
        .init(.selectMonitor(id: "HDMI-1"), #"{"type":"selectMonitor","id":"HDMI-1"}"#),
        .init(.ping(id: 0), #"{"type":"ping","id":0}"#),
        .init(.audioEnabled(true), #"{"type":"audioEnabled","enabled":true}"#),
        .init(.audioVolume(0.8), #"{"type":"audioVolume","level":0.8}"#),
        .init(.audioOffer(sdp: "v=0\r\n", inStep: false), #"{"type":"audioOffer","sdp":"v=0\r\n"}"#),
        .init(.audioOffer(sdp: "v=0\n", inStep: true), #"{"type":"audioOffer","sdp":"v=0\n","inStep":true}"#),
        .init(
            .inputs(
                NumberedInputs(
                    first: 7, inputs: [.keyDown(KeyStroke(usage: 0x04)), nil, .releaseAll],
                    sentAt: 9_007_199_254_740_991)),
            #"{"type":"inputs","first":7,"list":[{"type":"keyDown","keyCode":0,"modifiers":[]},null,"#
                + #"{"type":"releaseAll"}],"at":9007199254740991}"#),
        .init(.videoEnabled(false), #"{"type":"videoEnabled","enabled":false}"#),
        .init(.keepsCursors, #"{"type":"keepsCursors"}"#),
        .init(.quality(PictureWish()), #"{"type":"quality"}"#),
        .init(
            .quality(PictureWish(most: .kilobits(1500), prefers: .motion)),
            #"{"type":"quality","most":1500000,"prefers":"motion"}"#),
        .init(.quality(PictureWish(prefers: .sharpness)), #"{"type":"quality","prefers":"sharpness"}"#),
        .init(.ownPicture(enabled: true, repairs: true), #"{"type":"ownPicture","enabled":true,"repairs":true}"#),
        .init(.ownPicture(enabled: false, repairs: false), #"{"type":"ownPicture","enabled":false,"repairs":false}"#),
        .init(.pictureLost(whole: nil, order: 0), #"{"type":"pictureLost","n":0}"#),
        .init(
            .pictureLost(whole: .max, order: 9_007_199_254_740_991),
            #"{"type":"pictureLost","whole":4294967295,"n":9007199254740991}"#),
        .init(.pictureSeen(timestamp: 0, milliseconds: 60_000), #"{"type":"pictureSeen","at":0,"ms":60000}"#),
        .init(.pictureSeen(timestamp: .max, milliseconds: 7.5), #"{"type":"pictureSeen","at":4294967295,"ms":7.5}"#),
    ]

    @Test(arguments: vectors)
    func vector(_ vector: MessageVector<ViewerMessage>) throws {
        try vector.check()
        // Members of the inputs in a list don't count as fields of the message.
        let optional: Set = [
            "tx", "ty", "n", "x", "y", "modifiers", "inStep", "list", "most", "prefers", "character", "caps", "num",
            "repairs", "whole",
        ]
        let needsOrder = ["mouseTo", "pictureLost"].contains(vector.message.type)
        try vector.checkFields(optional: needsOrder ? optional.subtracting(["n", "x", "y"]) : optional)
    }

    /// Rows 115 ... 119 and 131 as the specification writes them, with each value of `"left"
    /// "right"` and of `1
    /// 2`.
    @Test(
        arguments: [
            (#"{ "type": "mouseMove", "dx": 10, "dy": -5 }"#, .mouseMove(PointerStep(dx: 10, dy: -5))),
            (#"{ "type": "mouseDown", "button": "left" }"#, .mouseDown(.left, at: nil)),
            (#"{ "type": "mouseDown", "button": "right" }"#, .mouseDown(.right, at: nil)),
            (#"{ "type": "mouseUp", "button": "left" }"#, .mouseUp(.left, at: nil)),
            (#"{ "type": "mouseUp", "button": "right" }"#, .mouseUp(.right, at: nil)),
            (#"{ "type": "click", "button": "left", "count": 1 }"#, .click(.left, count: 1, at: nil)),
            (#"{ "type": "click", "button": "right", "count": 2 }"#, .click(.right, count: 2, at: nil)),
            (#"{ "type": "scroll", "dx": 0, "dy": -120 }"#, .scroll(dx: 0, dy: -120)),
            (
                #"{ "type": "keyDown", "keyCode": 53, "modifiers": ["cmd", "shift"] }"#,
                .keyDown(KeyStroke(usage: USBKeyboard.escape, modifiers: [.command, .shift]))
            ),
            (#"{ "type": "keyUp", "keyCode": 53, "modifiers": [] }"#, .keyUp(KeyStroke(usage: USBKeyboard.escape))),
            (
                #"{ "type": "keyPress", "keyCode": 53, "modifiers": ["cmd"] }"#,
                .keyPress(KeyStroke(usage: USBKeyboard.escape, modifiers: .command))
            ),
            (#"{ "type": "text", "characters": "hello" }"#, .text("hello")),
            (#"{ "type": "audioEnabled", "enabled": true }"#, .audioEnabled(true)),
            (#"{ "type": "audioVolume", "level": 0.8 }"#, .audioVolume(0.8)),
        ] as [(String, ViewerMessage)])
    func samples(text: String, message: ViewerMessage) throws {
        #expect(try ViewerMessage(parsing: Array(text.utf8)) == message)
        #expect(message.serialised() == Array(text.filter { $0 != " " }.utf8))
    }

    @Test func movesGoByTheirOwnChannel() {
        for vector in Self.vectors {
            let expected: RemoteChannel =
                ["mouseMove", "mouseTo", "inputs", "pictureLost", "pictureSeen"].contains(vector.message.type)
                ? .moves : .control
            #expect(vector.message.channel == expected, "\(vector.message)")
        }
    }

    /// Each element keeps its position, and therefore its number, whether valid or not.
    @Test func whatIsNoInputHasItsNumber() throws {
        let junk = [
            "null", "1", "[]", "{}", #"{"type":1}"#, #"{"type":"dance"}"#, #"{"type":"ping","id":1}"#,
            #"{"type":"alive"}"#, #"{"type":"requestControl"}"#, #"{"type":"keyDown","keyCode":500}"#,
            #"{"type":"audioOffer","sdp":"v=0"}"#, #"{"type":"videoEnabled","enabled":true}"#,
            #"{"type":"pictureLost","n":1}"#, #"{"type":"pictureSeen","at":1,"ms":1}"#,
            #"{"type":"inputs","first":0,"list":[{"type":"releaseAll"}],"at":0}"#,
        ]
        for text in junk {
            let message =
                #"{"type":"inputs","first":3,"list":[{"type":"releaseAll"},\#(text),{"type":"text","#
                + #""characters":"a"}],"at":1}"#
            #expect(
                try ViewerMessage(parsing: Array(message.utf8))
                    == .inputs(NumberedInputs(first: 3, inputs: [.releaseAll, nil, .text("a")], sentAt: 1)), "\(text)")
        }
    }

    @Test func whatMayBeNumberedIsWhatIsDone() {
        let others: Set = [
            "alive", "requestControl", "handOver", "selectMonitor", "ping", "audioEnabled", "audioVolume", "audioOffer",
            "inputs", "videoEnabled", "quality", "keepsCursors", "ownPicture", "pictureLost", "pictureSeen",
        ]
        for vector in Self.vectors {
            #expect(vector.message.isInput == !others.contains(vector.message.type), "\(vector.message)")
        }
    }

    /// "Outside, the nearest edge counts."
    @Test(
        arguments: [(-0.5, 2.0, 0, 1), (1e300, -1e300, 1, 0), (1.0000000001, -0.0, 1, 0)]
            as [(Double, Double, Float, Float)])
    func placesOutsideAreMovedToTheEdge(x: Double, y: Double, atX: Float, atY: Float) throws {
        let text = #"{"type":"mouseTo","x":\#(x),"y":\#(y),"n":1}"#
        let place = try #require(NormalizedPoint(x: atX, y: atY))
        #expect(try ViewerMessage(parsing: Array(text.utf8)) == .mouseTo(place, order: 1))
    }

    @Test func usageCountsWhereBothAreThere() throws {
        let text = #"{"type":"keyDown","keyCode":500,"modifiers":["shift","shift"],"usage":72}"#
        let key = KeyStroke(usage: 72, modifiers: .shift)
        #expect(try ViewerMessage(parsing: Array(text.utf8)) == .keyDown(key))
        let null = #"{"type":"keyDown","keyCode":0,"modifiers":null,"usage":null}"#
        #expect(try ViewerMessage(parsing: Array(null.utf8)) == .keyDown(KeyStroke(usage: USBKeyboard.a)))
    }

    private static let text4097 = String(repeating: "é", count: 2048) + "x"

    @Test(
        arguments: [
            .init(#"{"type":"mouseMove","dx":65536,"dy":0}"#, "dx"),
            .init(#"{"type":"mouseMove","dx":0,"dy":-65535.5}"#, "dy"),
            .init(#"{"type":"mouseMove","dx":"1","dy":0}"#, "dx"),
            .init(#"{"type":"mouseMove","dx":true,"dy":0}"#, "dx"),
            .init(#"{"type":"mouseMove","dx":0,"dy":0,"tx":1}"#, "ty"),
            .init(#"{"type":"mouseMove","dx":0,"dy":0,"ty":1}"#, "tx"),
            .init(#"{"type":"mouseMove","dx":0,"dy":0,"tx":-1,"ty":0}"#, "tx"),
            .init(#"{"type":"mouseMove","dx":0,"dy":0,"tx":0,"ty":2147483648}"#, "ty"),
            .init(#"{"type":"mouseMove","dx":0,"dy":0,"tx":0.5,"ty":0}"#, "tx"),
            .init(#"{"type":"mouseMove","dx":0,"dy":0,"tx":0,"ty":0,"n":-1}"#, "n"),
            .init(#"{"type":"mouseTo","x":0,"y":0,"n":-1}"#, "n"),
            .init(#"{"type":"mouseTo","x":0,"y":0,"n":0.5}"#, "n"),
            .init(#"{"type":"mouseTo","x":0,"y":0,"n":9007199254740992}"#, "n"),
            .init(#"{"type":"mouseTo","x":0,"y":0,"n":1e300}"#, "n"),
            .init(#"{"type":"mouseDown","button":"LEFT"}"#, "button"),
            .init(#"{"type":"mouseDown","button":0}"#, "button"),
            .init(#"{"type":"mouseDown","button":"left","x":0.5}"#, "y"),
            .init(#"{"type":"mouseUp","button":"left","y":0.5}"#, "x"),
            .init(#"{"type":"mouseUp","button":"left","x":"0","y":0.5}"#, "x"),
            .init(#"{"type":"click","button":"left"}"#, "count"),
            .init(#"{"type":"click","button":"left","count":0}"#, "count"),
            .init(#"{"type":"click","button":"left","count":3}"#, "count"),
            .init(#"{"type":"click","button":"left","count":1.5}"#, "count"),
            .init(#"{"type":"scroll","dx":32768,"dy":0}"#, "dx"),
            .init(#"{"type":"scroll","dx":0,"dy":-32768}"#, "dy"),
            // The Fn key, a code without a key, and codes out of range.
            .init(#"{"type":"keyDown","keyCode":63,"modifiers":[]}"#, "keyCode"),
            .init(#"{"type":"keyDown","keyCode":0,"modifiers":[],"character":"ab"}"#, "character"),
            .init(#"{"type":"keyDown","keyCode":0,"modifiers":[],"character":""}"#, "character"),
            .init(#"{"type":"keyDown","keyCode":0,"modifiers":[],"character":97}"#, "character"),
            .init(#"{"type":"locks","caps":1}"#, "caps"),
            .init(#"{"type":"keyDown","keyCode":52,"modifiers":[]}"#, "keyCode"),
            .init(#"{"type":"keyDown","keyCode":128,"modifiers":[]}"#, "keyCode"),
            .init(#"{"type":"keyDown","keyCode":-1,"modifiers":[]}"#, "keyCode"),
            .init(#"{"type":"keyDown","keyCode":0.5,"modifiers":[]}"#, "keyCode"),
            .init(#"{"type":"keyDown","modifiers":[]}"#, "keyCode"),
            .init(#"{"type":"keyUp","usage":3,"modifiers":[]}"#, "usage"),
            .init(#"{"type":"keyUp","usage":232,"modifiers":[]}"#, "usage"),
            .init(#"{"type":"keyUp","usage":"4","keyCode":0,"modifiers":[]}"#, "usage"),
            .init(#"{"type":"keyPress","keyCode":0,"modifiers":"cmd"}"#, "modifiers"),
            .init(#"{"type":"keyPress","keyCode":0,"modifiers":["meta"]}"#, "modifiers"),
            .init(#"{"type":"keyPress","keyCode":0,"modifiers":[1]}"#, "modifiers"),
            .init(#"{"type":"keyPress","keyCode":0,"modifiers":["cmd","cmd","cmd","cmd","cmd"]}"#, "modifiers"),
            .init(#"{"type":"text","characters":""}"#, "characters"),
            .init(#"{"type":"text","characters":"\#(text4097)"}"#, "characters"),
            .init(#"{"type":"text","characters":["a"]}"#, "characters"),
            .init(#"{"type":"handOver"}"#, "to"),
            .init(#"{"type":"handOver","to":-1}"#, "to"),
            .init(#"{"type":"handOver","to":4294967296}"#, "to"),
            .init(#"{"type":"handOver","to":"2"}"#, "to"),
            .init(#"{"type":"selectMonitor","id":""}"#, "id"),
            .init(#"{"type":"selectMonitor","id":0}"#, "id"),
            .init(#"{"type":"selectMonitor","id":"\#(String(repeating: "m", count: 65))"}"#, "id"),
            .init(#"{"type":"ping"}"#, "id"),
            .init(#"{"type":"ping","id":-1}"#, "id"),
            .init(#"{"type":"ping","id":9007199254740992}"#, "id"),
            .init(#"{"type":"audioEnabled","enabled":1}"#, "enabled"),
            .init(#"{"type":"audioVolume","level":1.01}"#, "level"),
            .init(#"{"type":"audioVolume","level":-0.01}"#, "level"),
            .init(#"{"type":"audioOffer","sdp":""}"#, "sdp"),
            .init(#"{"type":"audioOffer","sdp":"\#(String(repeating: "a", count: 15_361))"}"#, "sdp"),
            .init(#"{"type":"audioOffer","sdp":"v=0","inStep":1}"#, "inStep"),
            .init(#"{"type":"inputs","first":-1,"list":[null],"at":0}"#, "first"),
            .init(#"{"type":"inputs","first":9007199254740992,"list":[null],"at":0}"#, "first"),
            .init(#"{"type":"inputs","first":0,"list":[null],"at":0.5}"#, "at"),
            .init(#"{"type":"inputs","first":0,"at":0}"#, "list"),
            .init(#"{"type":"inputs","first":0,"list":{},"at":0}"#, "list"),
            .init(#"{"type":"inputs","first":0,"list":[],"at":0}"#, "list"),
            .init(
                #"{"type":"inputs","first":0,"list":[\#(repeatElement("null", count: 33).joined(separator: ","))],"#
                    + #""at":0}"#, "list"),
            .init(
                #"{"type":"inputs","first":0,"list":[{"type":"text","characters":"\#(Self.text4097)"},"#
                    + #"{"type":"text","characters":"\#(Self.text4097)\#(Self.text4097)"}],"at":0}"#, "list"),
            .init(#"{"type":"videoEnabled","enabled":"false"}"#, "enabled"),
            .init(#"{"type":"quality","most":299999}"#, "most"),
            .init(#"{"type":"quality","most":1000000001}"#, "most"),
            .init(#"{"type":"quality","most":500000.5}"#, "most"),
            .init(#"{"type":"quality","most":"1000000"}"#, "most"),
            .init(#"{"type":"quality","prefers":"speed"}"#, "prefers"),
            .init(#"{"type":"quality","prefers":true}"#, "prefers"),
            .init(#"{"type":"ownPicture"}"#, "enabled"),
            .init(#"{"type":"ownPicture","enabled":1,"repairs":true}"#, "enabled"),
            .init(#"{"type":"ownPicture","enabled":true,"repairs":"yes"}"#, "repairs"),
            .init(#"{"type":"pictureLost"}"#, "n"),
            .init(#"{"type":"pictureLost","whole":1}"#, "n"),
            .init(#"{"type":"pictureLost","whole":1,"n":-1}"#, "n"),
            .init(#"{"type":"pictureLost","whole":1,"n":0.5}"#, "n"),
            .init(#"{"type":"pictureLost","whole":1,"n":9007199254740992}"#, "n"),
            .init(#"{"type":"pictureLost","whole":-1,"n":1}"#, "whole"),
            .init(#"{"type":"pictureLost","whole":4294967296,"n":1}"#, "whole"),
            .init(#"{"type":"pictureLost","whole":1.5,"n":1}"#, "whole"),
            .init(#"{"type":"pictureLost","whole":"1","n":1}"#, "whole"),
            .init(#"{"type":"pictureSeen","ms":1}"#, "at"),
            .init(#"{"type":"pictureSeen","at":4294967296,"ms":1}"#, "at"),
            .init(#"{"type":"pictureSeen","at":-1,"ms":1}"#, "at"),
            .init(#"{"type":"pictureSeen","at":1}"#, "ms"),
            .init(#"{"type":"pictureSeen","at":1,"ms":-0.5}"#, "ms"),
            .init(#"{"type":"pictureSeen","at":1,"ms":60000.5}"#, "ms"),
            .init(#"{"type":"pictureSeen","at":1,"ms":"1"}"#, "ms"),
        ] as [HostileMessage])
    func malformed(_ hostile: HostileMessage) throws {
        try hostile.check(ViewerMessage.self)
    }

    /// Fields of the largest permitted length are valid.
    @Test func limitsAreInside() throws {
        let text = ViewerMessage.text(String(repeating: "\n", count: ViewerMessage.longestText))
        #expect(try ViewerMessage(parsing: text.serialised()) == text)
        let step = ViewerMessage.mouseMove(
            PointerStep(dx: -ViewerMessage.farthestStep, dy: ViewerMessage.farthestStep))
        #expect(try ViewerMessage(parsing: step.serialised()) == step)
        let scroll = ViewerMessage.scroll(dx: -ViewerMessage.farthestScroll, dy: ViewerMessage.farthestScroll)
        #expect(try ViewerMessage(parsing: scroll.serialised()) == scroll)

        let key = KeyStroke(usage: 0xE7, modifiers: [.command, .control, .option, .shift])
        let inputs = ViewerMessage.inputs(
            NumberedInputs(
                first: 9_007_199_254_740_991, inputs: Array(repeating: .keyPress(key), count: NumberedInputs.most),
                sentAt: 0))
        #expect(try ViewerMessage(parsing: inputs.serialised()) == inputs)
        let long = ViewerMessage.inputs(NumberedInputs(first: 0, inputs: [text], sentAt: 0))
        #expect(try ViewerMessage(parsing: long.serialised()) == long)

        let alive = Array(#"{"type":"alive"}"#.utf8)
        let padded = alive + [UInt8](repeating: 0x20, count: ViewerMessage.maximumSize - alive.count)
        #expect(try ViewerMessage(parsing: padded) == .alive)
        #expect(throws: RemoteWireError.notJSON(JSONError(.tooLong, at: 16_384))) {
            try ViewerMessage(parsing: padded + [0x20])
        }
        let many = #"{"type":"alive","a":[\#(repeatElement("0", count: 512).joined(separator: ","))]}"#
        #expect(throws: RemoteWireError.self) { try ViewerMessage(parsing: Array(many.utf8)) }
    }

    /// A host's messages are not valid as a viewer's.
    @Test(arguments: ["screenInfo", "control", "hello", "mousemove", "MouseMove", "mouseMove ", "x"])
    func unknownTypes(type: String) {
        let text = #"{"type":"\#(type)","state":"free","dx":1,"dy":1}"#
        #expect(throws: RemoteWireError.unknownType(type)) { try ViewerMessage(parsing: Array(text.utf8)) }
    }

    @Test(arguments: [
        "{}", "[]", "null", #""alive""#, #"{"type":null}"#, #"{"type":1}"#, #"{"type":""}"#, #"{"Type":"alive"}"#,
        #"{"type":"\#(String(repeating: "t", count: 33))"}"#,
    ])
    func untyped(text: String) {
        #expect(throws: RemoteWireError.untyped) { try ViewerMessage(parsing: Array(text.utf8)) }
    }
}
