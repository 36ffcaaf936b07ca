import HelioAppModels
import HelioCore
import HelioDesktopFlow
import HelioViewerFlow
import Testing

/// The lines that the app and the process of a session say to each other.
struct SessionLinesTests {
    @Test("a request keeps its secrets out of descriptions") func request() throws {
        var options = SessionOptions()
        options.playsSound = false
        options.typesText = true
        options.watchesOnly = true
        let request = SessionRequest(target: "heliograph://h/#SECRET", announced: "Studio", code: "CODE", options)
        #expect(SessionRequest(line: try request.line()) == request)
        #expect(!request.playsSound && request.typesText && request.watchesOnly && !request.waitsForSound)
        #expect(try !request.line().contains("\n") && !"\(request)".contains("SECRET"))
        #expect(SessionRequest(line: "{}") == nil && SessionRequest(line: "no JSON") == nil)
    }

    private static let events: [SessionEvent] = [
        .letIn, .playing(PixelSize(width: 1920, height: 1080), allowsControl: true), .permission(allowsControl: false),
        .driver(.nobody), .driver(.you), .driver(.other(name: "iPad")), .controlRequested(name: "Phone\n"),
        .sound(isThere: true), .figures([.init(name: "Frames/s", value: "60.0")]), .disconnected(reason: "Lost."),
        .note("Watching."), .ended(nil),
    ]

    @Test("events arrive as they are") func events() throws {
        for event in Self.events {
            let line = try #require(try SessionReport(event)?.line())
            #expect(!line.contains("\n"))
            #expect("\(try #require(SessionReport(line: line)?.event))" == "\(event)")
        }
    }

    @Test("the window's own affairs are not told") func own() {
        #expect(SessionReport(.fullScreenAsked) == nil && SessionReport(.reached) == nil)
        #expect(SessionReport(.monitors([], selected: nil)) == nil)
        #expect(SessionReport(line: "") == nil && SessionReport(line: #"{"kind":"other"}"#) == nil)
    }

    @Test("errors keep what the screens decide by") func errors() throws {
        let errors = [
            HelioError(.refused, "Wrong.", reason: "wrong-proof"), HelioError(.unreachable, "Gone."),
            HelioError(.invalidArgument, "Not paired.", remedy: .pairFirst(host: "h")),
        ]
        for error in errors {
            let line = try #require(try SessionReport(.ended(error))?.line())
            guard case .ended(let read?) = SessionReport(line: line)?.event else {
                Issue.record("no end: \(line)")
                continue
            }
            #expect(read.code == error.code && read.message == error.message && read.reason == error.reason)
            #expect((read.remedy != nil) == (error.remedy != nil))
        }
    }
}
