private import Foundation
private import HelioAppModels
private import HelioCore
private import HelioSharing
package import HelioViewerFlow

/// An event of a session as one line of JSON, from the process that shows the session to the app.
package struct SessionReport: Codable, Sendable {
    private enum Kind: String, Codable {
        case letIn, playing, permission, nobodyDrives, youDrive, otherDrives, controlRequested, sound, figures
        case disconnected, note, ended
    }

    /// An error without its cause. Remedies belong to the command line, except for the question for a code.
    private struct Failure: Codable {
        var code: String
        var message: String
        var reason: String?
        var asksForCode: Bool
    }

    private var kind: Kind
    private var width: Int?
    private var height: Int?
    private var isAllowed: Bool?
    private var text: String?
    private var figures: [[String]]?
    private var failure: Failure?

    private init(_ kind: Kind) { self.kind = kind }

    /// Makes the report of an event; `nil` for an event that the app need not know.
    package init?(_ event: SessionEvent) {
        switch event {
        case .letIn: self.init(Kind.letIn)
        case .playing(let size, let allowsControl):
            self.init(Kind.playing)
            (width, height, isAllowed) = (size.width, size.height, allowsControl)
        case .permission(let allowsControl):
            self.init(Kind.permission)
            isAllowed = allowsControl
        case .driver(.nobody): self.init(Kind.nobodyDrives)
        case .driver(.you): self.init(Kind.youDrive)
        case .driver(.other(let name)): self.init(Kind.otherDrives, name)
        case .controlRequested(let name): self.init(Kind.controlRequested, name)
        case .sound(let isThere):
            self.init(Kind.sound)
            isAllowed = isThere
        case .figures(let list):
            self.init(Kind.figures)
            figures = list.map { [$0.name, $0.value] }
        case .disconnected(let reason): self.init(Kind.disconnected, reason)
        case .note(let text): self.init(Kind.note, text)
        case .ended(let error):
            self.init(Kind.ended)
            failure = error.map(Self.failure)
        // The window has its own keys for monitors and for full screen.
        case .reached, .monitors, .fullScreenAsked: return nil
        }
    }

    private init(_ kind: Kind, _ text: String) {
        self.init(kind)
        self.text = text
    }

    /// Reads a line; `nil` if it is no report.
    package init?(line: some StringProtocol) {
        guard let read = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)) else { return nil }
        self = read
    }

    package func line() throws -> String { try jsonLine() }

    /// The event for the flow.
    package var event: SessionEvent {
        switch kind {
        case .letIn: .letIn
        case .playing: .playing(PixelSize(width: width ?? 0, height: height ?? 0), allowsControl: isAllowed ?? false)
        case .permission: .permission(allowsControl: isAllowed ?? false)
        case .nobodyDrives: .driver(.nobody)
        case .youDrive: .driver(.you)
        case .otherDrives: .driver(.other(name: text ?? ""))
        case .controlRequested: .controlRequested(name: text ?? "")
        case .sound: .sound(isThere: isAllowed ?? false)
        case .figures: .figures((figures ?? []).filter { $0.count == 2 }.map { .init(name: $0[0], value: $0[1]) })
        case .disconnected: .disconnected(reason: text ?? "")
        case .note: .note(text ?? "")
        case .ended: .ended(failure.map(Self.error))
        }
    }

    private static let codes: [HelioError.Code] = [
        .captureFailed, .encoderFailed, .decoderFailed, .displayUnavailable, .unsupported, .refused, .unreachable,
        .ended, .protocolViolation, .invalidArgument, .systemFailed,
    ]

    private static func failure(_ error: HelioError) -> Failure {
        let asksForCode =
            switch error.remedy {
            case .pairFirst?, .giveCode?: true
            default: false
            }
        return Failure(code: error.code.name, message: error.message, reason: error.reason, asksForCode: asksForCode)
    }

    private static func error(_ failure: Failure) -> HelioError {
        HelioError(
            codes.first { $0.name == failure.code } ?? .systemFailed, failure.message,
            remedy: failure.asksForCode ? .giveCode : nil, reason: failure.reason)
    }
}
