import Foundation
import HelioAppModels
import HelioViewerFlow
import Testing

/// Renders the viewer's current screen as lines of text, presses buttons by their titles, and advances the time.
@MainActor
final class FlowTerminal {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    let flow: ViewerFlow
    private let clock: Clock
    private let texts: [String: String]
    private var lines: [String] = []
    private let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation

    private final class Clock { var now = Duration.zero }

    init(_ world: any ViewerWorld, _ store: any KeyValueStore = MemoryStore()) throws {
        let file = Self.root.appending(path: "Apps/Apple/Shared/en.lproj/Localizable.strings")
        var texts: [String: String] = [:]
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where line.hasPrefix("\"") {
            let parts = line.components(separatedBy: "\" = \"")
            if parts.count == 2 { texts[String(parts[0].dropFirst())] = String(parts[1].dropLast(2)) }
        }
        self.texts = texts
        let clock = Clock()
        self.clock = clock
        flow = ViewerFlow(
            world: world, store: store, deviceName: "iPhone", now: { clock.now },
            date: { Int(clock.now.components.seconds) })
        (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        flow.onChange = { [weak self] in self?.changed() }
        changed()
        flow.begin()
    }

    /// Observes the screen that is shown now.
    private func changed() {
        let tell: () -> Void = { [change] in change.yield() }
        switch flow.place {
        case .hosts: flow.hosts.onChange = tell
        case .pairing(let driver): driver.onChange = tell
        case .connecting(let driver): driver.onChange = tell
        case .session(let driver): driver.onChange = tell
        }
        tell()
    }

    /// Waits until a condition on the screen holds; the test's time limit bounds the wait.
    func until(_ isSo: (FlowTerminal) -> Bool) async {
        if isSo(self) { return }
        for await _ in changes where isSo(self) { return }
        Issue.record("This is shown, and nothing else came:\n\(text)")
    }

    /// Presses the element with this label; returns false if there is none.
    func press(_ label: String) -> Bool {
        switch flow.place {
        case .hosts: press(label, flow.hosts)
        case .pairing(let driver): press(label, driver)
        case .connecting(let driver): press(label, driver)
        case .session(let driver): press(label, driver)
        }
    }

    func set(_ label: String) -> Bool { press(label, flow.settings) }

    func write(_ text: String, in label: String) -> Bool {
        switch flow.place {
        case .hosts: write(text, in: label, flow.hosts)
        case .pairing(let driver): write(text, in: label, driver)
        case .connecting, .session: false
        }
    }

    /// Advances the time from one deadline to the next.
    func wait(_ time: Duration) {
        let end = clock.now + time
        for _ in 0..<10_000 {
            let next = [timeToTick, flow.pad?.timeToTick].compactMap { $0 }.min()
            guard let next, clock.now + next <= end else { break }
            clock.now += next
            tick()
        }
        clock.now = end
    }

    private var timeToTick: Duration? {
        switch flow.place {
        case .hosts: nil
        case .pairing(let driver): driver.timeToTick
        case .connecting(let driver): driver.timeToTick
        case .session(let driver): driver.timeToTick
        }
    }

    private func tick() {
        flow.pad?.tick()
        switch flow.place {
        case .hosts: break
        case .pairing(let driver): driver.tick()
        case .connecting(let driver): driver.tick()
        case .session(let driver): driver.tick()
        }
    }

    /// The text on the screen.
    var text: String {
        switch flow.place {
        case .hosts: text(of: flow.hosts.model.screen)
        case .pairing(let driver): text(of: driver.model.screen)
        case .connecting(let driver): text(of: driver.model.screen)
        case .session(let driver): text(of: driver.model.screen)
        }
    }

    var title: String { String(text.prefix { $0 != "\n" }) }
    var settings: String { text(of: flow.settings.model.screen) }

    /// Records the text on the screen.
    func see(_ what: String) { lines.append("## \(what)\n\(text)\n") }

    /// Compares the recorded text with `Screens/NAME.txt`.
    func expect(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let file = Self.root.appending(path: "Tests/HelioViewerFlowTests/Screens/\(name).txt")
        let read = lines.joined(separator: "\n")
        let expected = (try? String(contentsOf: file, encoding: .utf8)) ?? "(no such file)"
        if read != expected, let folder = ProcessInfo.processInfo.environment["SCREENS_READ"] {
            try read.write(to: URL(filePath: folder).appending(path: "\(name).txt"), atomically: true, encoding: .utf8)
        }
        #expect(read == expected, "\(name)", sourceLocation: sourceLocation)
    }

    private func words(_ phrase: Phrase) -> String { phrase.words { texts[$0.rawValue] ?? "MISSING \($0.rawValue)" } }

    private func press<Model>(_ label: String, _ driver: ScreenDriver<Model>) -> Bool {
        for element in driver.model.screen.elements {
            switch element {
            case .button(let action, let text, _), .row(let action, let text, _), .toggle(let action, let text, _),
                .choice(let action, let text, _, _):
                guard words(text) == label else { continue }
                driver.press(action)
                return true
            default: continue
            }
        }
        return false
    }

    private func write<Model>(_ text: String, in label: String, _ driver: ScreenDriver<Model>) -> Bool {
        for case .field(let field, let name, _, _, _) in driver.model.screen.elements where words(name) == label {
            driver.edit(field, text)
            return true
        }
        return false
    }

    private func text<Action, Field>(of screen: Screen<Action, Field>) -> String {
        var lines = ["= \(words(screen.title))\(screen.isBusy ? " …" : "")"]
        if let message = screen.message { lines.append(words(message)) }
        return (lines + screen.elements.map(line)).joined(separator: "\n")
    }

    private func line<Action, Field>(_ element: ScreenElement<Action, Field>) -> String {
        switch element {
        case .heading(let text): "- \(words(text))"
        case .text(let text): "  \(words(text))"
        case .warning(let text): "! \(words(text))"
        case .digits(let digits): "# \(digits)"
        case .field(_, let label, let value, let hint, _): "\(words(label)): [\(value.isEmpty ? hint : value)]"
        case .toggle(_, let label, let isOn): "[\(isOn ? "x" : " ")] \(words(label))"
        case .choice(_, let label, let detail, let isChosen):
            "(\(isChosen ? "o" : " ")) \(words(label))\(detail.map { " | \(words($0))" } ?? "")"
        case .row(_, let label, let detail): "> \(words(label))\(detail.map { " | \(words($0))" } ?? "")"
        case .button(_, let label, _): "<\(words(label))>"
        }
    }
}
