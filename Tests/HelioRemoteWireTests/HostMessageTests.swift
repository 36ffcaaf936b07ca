import HelioCore
import HelioJSON
import HelioRemoteWire
import Testing

@Suite("Messages from the host")
struct HostMessageTests {
    private static let shape = CursorShape(
        size: PixelSize(width: 2, height: 1), hotspotX: 1, hotspotY: 0, rgba: [255, 255, 255, 255, 0, 0, 0, 128])
    private static let monitor = MonitorEntry(
        id: "0", name: "HDMI-1", size: PixelSize(width: 2560, height: 1440), isPrimary: true)

    private static let vectors: [MessageVector<HostMessage>] = [
        .init(
            .screenInfo(PixelSize(width: 2560, height: 1440), scale: 2),
            #"{"type":"screenInfo","width":2560,"height":1440,"scale":2}"#),
        .init(.takes(["inputs", "é"]), #"{"type":"takes","types":["inputs","é"]}"#),
        .init(.takes([]), #"{"type":"takes","types":[]}"#),
        .init(
            .inputsDone(next: 0, sentAt: 9_007_199_254_740_991),
            #"{"type":"inputsDone","next":0,"at":9007199254740991}"#),
        .init(.inputRate(30), #"{"type":"inputRate","perSecond":30}"#),
        .init(.cursorPos(x: 500, y: -300), #"{"type":"cursorPos","x":500,"y":-300}"#),
        .init(.cursorShape(shape), #"{"type":"cursorShape","width":2,"height":1,"x":1,"y":0,"rgba":"_____wAAAIA"}"#),
        .init(
            .cursorShape(shape, number: 7),
            #"{"type":"cursorShape","number":7,"width":2,"height":1,"x":1,"y":0,"rgba":"_____wAAAIA"}"#),
        .init(.cursorAgain(number: .max), #"{"type":"cursorAgain","number":4294967295}"#),
        .init(.control(.yours), #"{"type":"control","state":"yours"}"#),
        .init(.control(.free), #"{"type":"control","state":"free"}"#),
        .init(.control(.taken(by: ViewerNumber(7))), #"{"type":"control","state":"taken","by":7}"#),
        .init(.control(.taken(by: nil)), #"{"type":"control","state":"taken"}"#),
        .init(.control(.forbidden), #"{"type":"control","state":"forbidden"}"#),
        .init(
            .controlRequested(ViewerNumber(2), name: "Phone"),
            #"{"type":"controlRequested","viewer":2,"name":"Phone"}"#),
        .init(
            .viewers([
                ViewerEntry(viewer: ViewerNumber(1), name: "é", drives: true, isYou: false),
                ViewerEntry(viewer: ViewerNumber(.max), name: "", drives: false, isYou: true),
            ]),
            #"{"type":"viewers","list":[{"viewer":1,"name":"é","drives":true,"you":false},"#
                + #"{"viewer":4294967295,"name":"","drives":false,"you":true}]}"#),
        .init(.viewers([]), #"{"type":"viewers","list":[]}"#),
        .init(
            .monitors([monitor], selected: "0"),
            #"{"type":"monitors","list":[{"id":"0","name":"HDMI-1","width":2560,"height":1440,"primary":true}],"#
                + #""selected":"0"}"#),
        .init(.monitors([], selected: nil), #"{"type":"monitors","list":[],"selected":null}"#),
        .init(.audioSources([.system]), #"{"type":"audioSources","system":true,"microphone":false}"#),
        .init(.audioSources([]), #"{"type":"audioSources","system":false,"microphone":false}"#),
        .init(
            .audioSources([.microphone, .system]), #"{"type":"audioSources","system":true,"microphone":true}"#),
        .init(.audioAnswer(sdp: "v=0\r\n"), #"{"type":"audioAnswer","sdp":"v=0\r\n"}"#),
        .init(
            .soundTime(at: 4_294_967_295, picture: 0), #"{"type":"soundTime","at":4294967295,"picture":0}"#),
        .init(.ticket([UInt8](repeating: 0xFF, count: 10)), #"{"type":"ticket","ticket":"_____________w"}"#),
        .init(
            .paired(device: [UInt8](repeating: 0, count: 16), secret: [UInt8](repeating: 0xFB, count: 10)),
            #"{"type":"paired","device":"AAAAAAAAAAAAAAAAAAAAAA","secret":"-_v7-_v7-_v7-w"}"#),
        .init(.pong(id: 9_007_199_254_740_991), #"{"type":"pong","id":9007199254740991}"#),
        .init(
            .error(RemoteErrorReport(message: "not yet", about: "audioEnabled")),
            #"{"type":"error","message":"not yet","about":"audioEnabled"}"#),
        .init(.error(RemoteErrorReport(message: "")), #"{"type":"error","message":""}"#),
        .init(.bye(reason: "stopped"), #"{"type":"bye","reason":"stopped"}"#),
    ]

    @Test(arguments: vectors)
    func vector(_ vector: MessageVector<HostMessage>) throws {
        try vector.check()
        try vector.checkFields(optional: ["by", "about", "selected", "number"])
    }

    /// Rows 120 and 121 as the specification writes them: the values don't depend on the notation of numbers.
    @Test(
        arguments: [
            (
                #"{ "type": "screenInfo", "width": 2560, "height": 1440, "scale": 2.0 }"#,
                .screenInfo(PixelSize(width: 2560, height: 1440), scale: 2)
            ),
            (#"{ "type": "cursorPos", "x": 500, "y": 300 }"#, .cursorPos(x: 500, y: 300)),
        ] as [(String, HostMessage)])
    func samples(text: String, message: HostMessage) throws {
        #expect(try HostMessage(parsing: Array(text.utf8)) == message)
        let limits = JSONLimits(bytes: 1024)
        #expect(
            try JSON(parsing: message.serialised(), limits: limits) == JSON(parsing: Array(text.utf8), limits: limits))
    }

    @Test func positionsAndAcknowledgementsGoByTheChannelOfMoves() {
        for vector in Self.vectors {
            let expected: RemoteChannel = ["cursorPos", "inputsDone"].contains(vector.message.type) ? .moves : .control
            #expect(vector.message.channel == expected)
        }
    }

    @Test(
        arguments: [
            .init(#"{"type":"takes","types":[1]}"#, "types"),
            .init(#"{"type":"takes","types":[""]}"#, "types"),
            .init(#"{"type":"takes","types":["\#(String(repeating: "t", count: 33))"]}"#, "types"),
            .init(
                #"{"type":"takes","types":[\#(repeatElement(#""t""#, count: 33).joined(separator: ","))]}"#, "types"),
            .init(#"{"type":"inputsDone","next":-1,"at":0}"#, "next"),
            .init(#"{"type":"inputsDone","next":0,"at":"1"}"#, "at"),
            .init(#"{"type":"inputRate","perSecond":0}"#, "perSecond"),
            .init(#"{"type":"inputRate","perSecond":1001}"#, "perSecond"),
            .init(#"{"type":"screenInfo","width":0,"height":1,"scale":1}"#, "width"),
            .init(#"{"type":"screenInfo","width":1,"height":65536,"scale":1}"#, "height"),
            .init(#"{"type":"screenInfo","width":1.5,"height":1,"scale":1}"#, "width"),
            .init(#"{"type":"screenInfo","width":1,"height":1,"scale":0}"#, "scale"),
            .init(#"{"type":"screenInfo","width":1,"height":1,"scale":17}"#, "scale"),
            .init(#"{"type":"cursorPos","x":65536,"y":0}"#, "x"),
            .init(#"{"type":"cursorPos","x":0,"y":0.5}"#, "y"),
            .init(#"{"type":"cursorShape","width":97,"height":1,"x":0,"y":0,"rgba":""}"#, "width"),
            .init(#"{"type":"cursorAgain"}"#, "number"),
            .init(#"{"type":"cursorAgain","number":-1}"#, "number"),
            .init(#"{"type":"cursorAgain","number":4294967296}"#, "number"),
            .init(
                #"{"type":"cursorShape","number":0.5,"width":1,"height":1,"x":0,"y":0,"rgba":"AAAAAA"}"#, "number"),
            .init(#"{"type":"cursorShape","width":1,"height":0,"x":0,"y":0,"rgba":""}"#, "height"),
            .init(#"{"type":"cursorShape","width":1,"height":1,"x":1,"y":0,"rgba":"AAAAAA"}"#, "x"),
            .init(#"{"type":"cursorShape","width":1,"height":1,"x":0,"y":-1,"rgba":"AAAAAA"}"#, "y"),
            .init(#"{"type":"cursorShape","width":1,"height":1,"x":0,"y":0,"rgba":"AAAA"}"#, "rgba"),
            .init(#"{"type":"cursorShape","width":1,"height":1,"x":0,"y":0,"rgba":"AAAAAAA"}"#, "rgba"),
            .init(#"{"type":"cursorShape","width":1,"height":1,"x":0,"y":0,"rgba":"AAAAAA=="}"#, "rgba"),
            .init(#"{"type":"cursorShape","width":1,"height":1,"x":0,"y":0,"rgba":"++++AA"}"#, "rgba"),
            .init(#"{"type":"control","state":"mine"}"#, "state"),
            .init(#"{"type":"control","state":"taken","by":"Phone"}"#, "by"),
            .init(#"{"type":"controlRequested","viewer":-1,"name":""}"#, "viewer"),
            .init(#"{"type":"controlRequested","viewer":1,"name":"\#(String(repeating: "n", count: 65))"}"#, "name"),
            .init(#"{"type":"viewers","list":{}}"#, "list"),
            .init(#"{"type":"viewers","list":[1]}"#, "list"),
            .init(#"{"type":"viewers","list":[{"viewer":1,"name":"","drives":0,"you":true}]}"#, "list.drives"),
            .init(#"{"type":"viewers","list":[\#(repeatElement("{}", count: 129).joined(separator: ","))]}"#, "list"),
            .init(#"{"type":"monitors","list":[{"id":1}],"selected":"1"}"#, "list.id"),
            .init(#"{"type":"monitors","list":[],"selected":"1"}"#, "selected"),
            .init(#"{"type":"monitors","list":[\#(repeatElement("{}", count: 65).joined(separator: ","))]}"#, "list"),
            .init(#"{"type":"audioSources","system":true}"#, "microphone"),
            .init(#"{"type":"audioSources","system":1,"microphone":false}"#, "system"),
            .init(#"{"type":"audioAnswer","sdp":""}"#, "sdp"),
            .init(#"{"type":"audioAnswer","sdp":"\#(String(repeating: "a", count: 49_153))"}"#, "sdp"),
            .init(#"{"type":"soundTime","at":1}"#, "picture"),
            .init(#"{"type":"soundTime","at":4294967296,"picture":1}"#, "at"),
            .init(#"{"type":"soundTime","at":1,"picture":-1}"#, "picture"),
            .init(#"{"type":"ticket","ticket":"AAAAAAAAAAAA"}"#, "ticket"),
            .init(#"{"type":"ticket","ticket":"\#(String(repeating: "A", count: 88))"}"#, "ticket"),
            .init(#"{"type":"paired","device":"AAAA","secret":"AAAAAAAAAAAAAAAA"}"#, "device"),
            .init(#"{"type":"paired","device":"AAAAAAAAAAAAAAAAAAAAAA","secret":"AAAA"}"#, "secret"),
            .init(#"{"type":"pong","id":"1"}"#, "id"),
            .init(#"{"type":"error"}"#, "message"),
            .init(#"{"type":"error","message":"","about":"\#(String(repeating: "a", count: 33))"}"#, "about"),
            .init(#"{"type":"bye","reason":"\#(String(repeating: "r", count: 257))"}"#, "reason"),
        ] as [HostileMessage])
    func malformed(_ hostile: HostileMessage) throws {
        try hostile.check(HostMessage.self)
    }

    /// All messages of a host fit within the limit: those with the longest fields, and longer fields are truncated, not
    /// rejected.
    @Test func theLargestFit() throws {
        let side = HostMessage.largestCursorSide
        let shape = CursorShape(
            size: PixelSize(width: side, height: side), hotspotX: side - 1, hotspotY: 0,
            rgba: [UInt8](repeating: 0xA5, count: side * side * 4))
        // Each of these characters is escaped to six bytes.
        let long = String(repeating: "\u{1}", count: 1000)
        let size = PixelSize(width: 65_535, height: 65_535)
        let id = String(long.prefix(HostMessage.longestMonitorID))
        let messages: [HostMessage] = [
            .cursorShape(shape),
            .viewers(
                (0..<1000).map { _ in
                    ViewerEntry(viewer: ViewerNumber(.max), name: long, drives: false, isYou: false)
                }),
            .monitors(
                (0..<1000).map { _ in MonitorEntry(id: id, name: long, size: size, isPrimary: false) }, selected: id),
            .controlRequested(ViewerNumber(.max), name: long),
            .ticket([UInt8](repeating: 1, count: 64)),
            .error(RemoteErrorReport(message: long, about: long)),
            .bye(reason: long),
        ]
        for message in messages {
            let text = message.serialised()
            #expect(text.count <= HostMessage.maximumSize, "\(message)")
            let read = try HostMessage(parsing: text)
            #expect(read.serialised() == text, "\(message)")
        }
        // A text is not truncated within a character.
        let name = String(repeating: "x", count: 63) + "é"
        let cut = try HostMessage(parsing: HostMessage.controlRequested(ViewerNumber(1), name: name).serialised())
        #expect(cut == .controlRequested(ViewerNumber(1), name: String(name.dropLast())))
    }

    @Test(arguments: ["mouseMove", "text", "welcome", "Bye"])
    func unknownTypes(type: String) {
        let text = #"{"type":"\#(type)"}"#
        #expect(throws: RemoteWireError.unknownType(type)) { try HostMessage(parsing: Array(text.utf8)) }
    }
}
