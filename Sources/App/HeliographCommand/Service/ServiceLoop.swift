private import Dispatch
private import Foundation
private import HelioCore
private import HelioGround
internal import HelioUnattended

/// Runs `heliograph share` for the desktop that is there, and follows it: what `Supervision` decides, done.
struct ServiceLoop {
    private enum Event: Sendable {
        case look
        case ended(Int32)
        case stop
    }

    /// The time between two looks at sessions and displays.
    private static let interval = Duration.seconds(2)
    /// The number of looks after which everything is read, even if nothing has changed.
    private static let looksUntilRead = 15
    /// The variables that a user's service has of its own, whatever desktop is there.
    private static let ownVariables: Set = ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"]

    private let survey: SessionSurvey
    private let scope: ServiceUnit.Scope
    private let program: String
    private let arguments: () -> [String]

    init(_ survey: SessionSurvey, scope: ServiceUnit.Scope, program: String, arguments: @escaping () -> [String]) {
        self.survey = survey
        self.scope = scope
        self.program = program
        self.arguments = arguments
    }

    /// Runs until a signal ends the service.
    func run() async {
        let (events, feed) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingOldest(64))
        let ticking = Task {
            repeat { feed.yield(.look) } while (try? await Task.sleep(for: Self.interval)) != nil
        }
        defer { ticking.cancel() }
        StopSignals.whenStopping { feed.yield(.stop) }
        var supervision = Supervision()
        var child: Process?
        var (seen, looks) = ([String](), 0)
        var search: DesktopSearch?
        for await event in events {
            let now = MonotonicClock.now
            var order: Supervision.Order?
            switch event {
            case .look:
                looks += 1
                let fingerprint = survey.fingerprint()
                if fingerprint != seen || search?.place == nil || looks % Self.looksUntilRead == 0 {
                    seen = fingerprint
                    search = tell(await look(), after: search)
                }
                order = supervision.follow(search?.place, now: now)
            case .ended(let status):
                child = nil
                order = supervision.ended(now: now)
                if let time = supervision.startsAt {
                    let seconds = max(1, Int((time - now).components.seconds))
                    say("Sharing has ended with \(status): it starts again in \(seconds) s.")
                }
            case .stop:
                order = supervision.end(now: now)
                if order == nil, !supervision.isRunning { return }
            }
            switch order {
            case .start(let place): child = start(place, feed)
            case .stop: child?.terminate()
            case nil: break
            }
            if case .ended = event, StopSignals.isStopping { return }
        }
    }

    /// Looks for the desktop, on a thread that may wait; `nil` if the sessions can't be read now.
    private func look() async -> DesktopSearch? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [survey, scope] in
                do throws(HelioError) {
                    let facts = try survey.read()
                    continuation.resume(
                        returning: scope == .user ? DisplayFinder.findOwn(facts) : DisplayFinder.findInFront(facts))
                } catch {
                    continuation.resume(returning: nil)
                }
            }
        }
    }

    /// Tells what has changed; sessions that can't be read now count as they were.
    private func tell(_ found: DesktopSearch?, after earlier: DesktopSearch?) -> DesktopSearch? {
        guard let found, found != earlier else { return earlier }
        switch found {
        case .found(let place): if place.title != earlier?.place?.title { say("Sharing \(place.title).") }
        case .none(let reason): say("\(reason) Waiting for a desktop.")
        }
        return found
    }

    private func start(_ place: DesktopPlace, _ feed: AsyncStream<Event>.Continuation) -> Process? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments()
        var environment = ProcessInfo.processInfo.environment
        // Those of another desktop must not stay.
        for name in SessionFacts.variables where scope == .system || !Self.ownVariables.contains(name) {
            environment[name] = nil
        }
        process.environment = environment.merging(place.environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.terminationHandler = { feed.yield(.ended($0.terminationStatus)) }
        do { try process.run() } catch {
            say("'\(program)' can't be run: \(error.localizedDescription)")
            feed.yield(.ended(-1))
            return nil
        }
        return process
    }
}
