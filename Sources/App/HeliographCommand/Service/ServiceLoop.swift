private import Dispatch
private import Foundation
internal import HelioCore
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
    /// The number of looks after which everything is read, even if nothing has changed that is cheap to see: with a
    /// desktop, and without one, whose programs may have begun since.
    private static let looksUntilRead = (withDesktop: 15, without: 3)
    /// The variables that a user's service has of its own, whatever desktop is there.
    private static let ownVariables: Set = ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"]

    private let survey: SessionSurvey
    private let scope: ServiceUnit.Scope
    /// The size of the virtual monitor that a desktop without one gets; `nil` for none.
    private let monitor: PixelSize?
    private let program: String
    private let arguments: () -> [String]

    init(
        _ survey: SessionSurvey, scope: ServiceUnit.Scope, monitor: PixelSize?, program: String,
        arguments: @escaping () -> [String]
    ) {
        self.survey = survey
        self.scope = scope
        self.monitor = monitor
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
        var child: ChildProgram?
        var (seen, looks) = ([String](), 0)
        var search: DesktopSearch?
        for await event in events {
            let now = MonotonicClock.now
            var order: Supervision.Order?
            switch event {
            case .look:
                looks += 1
                let fingerprint = survey.fingerprint()
                let most = search?.place == nil ? Self.looksUntilRead.without : Self.looksUntilRead.withDesktop
                if fingerprint != seen || looks >= most {
                    looks = 0
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
            case .stop: child?.end()
            case .kill: child?.kill()
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

    /// Has the desktop have a monitor, if one is wanted; without one, sharing says what is missing.
    private func prepareMonitor(at place: DesktopPlace, _ environment: [String: String]) {
        guard let monitor else { return }
        do throws(HelioError) {
            if let note = try MonitorSetup(environment: environment).prepare(monitor, at: place) { say(note) }
        } catch {
            say("There is no virtual monitor: \(error.sentence)")
        }
    }

    private func start(_ place: DesktopPlace, _ feed: AsyncStream<Event>.Continuation) -> ChildProgram? {
        var environment = ProcessInfo.processInfo.environment
        // Variables of another desktop must not stay.
        for name in SessionFacts.variables where scope == .system || !Self.ownVariables.contains(name) {
            environment[name] = nil
        }
        environment.merge(place.environment) { $1 }
        prepareMonitor(at: place, environment)
        do throws(HelioError) {
            return try ChildProgram.start(program, arguments(), environment: environment) { feed.yield(.ended($0)) }
        } catch {
            say(error.sentence)
            feed.yield(.ended(127))
            return nil
        }
    }
}
