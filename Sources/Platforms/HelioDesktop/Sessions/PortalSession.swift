import Glibc
package import HelioCore
import HelioDBusWire
import HelioGround
import Synchronization

/// A session of the desktop's portal: org.freedesktop.portal.RemoteDesktop for input and ScreenCast for pictures, or
/// the second alone. The desktop asks the person at it, unless it has a token of an earlier permission.
package final class PortalSession: DesktopSession {
    /// A monitor that the person has chosen: PipeWire's number of its stream.
    struct Stream: Sendable, Hashable {
        var node: UInt32
        var monitor: ScreenMonitor
    }

    /// The time for the person's answer.
    package static let patience = Duration.seconds(120)

    private let bus: BusConnection
    private let path: String
    private let streams: [Stream]
    private let state = SessionState()
    private let subscription: BusSubscription
    private let input: PortalInput
    package let takesInput: Bool
    package let notes: [String]
    package let clipboard: DesktopClipboardPort?
    package var end: String? { state.end }

    /// Begins a session; the person may be asked. Throws `refused` if they refuse, `captureFailed` otherwise.
    ///
    /// - Parameters:
    ///   - token: where the permission is kept; `nil` to be asked each time.
    ///   - patience: the time for the person's answer.
    package init(
        _ bus: BusConnection, token: PortalToken?, patience: Duration = patience
    ) throws(HelioError) {
        self.bus = bus
        let offers = try PortalOffers(bus)
        let state = state
        let beginning = PortalBeginning(bus, offers, token, patience)
        let path = try beginning.create()
        self.path = path
        do throws(BusFailure) {
            subscription = try bus.listen(
                to: "org.freedesktop.portal.Session", path: path,
                ended: { state.finish("The desktop's D-Bus has ended.") },
                { message in
                    if message.member == "Closed" {
                        state.finish("The desktop has ended the sharing of its screen: by its person, or as it locked.")
                    }
                })
        } catch {
            throw error.error(.captureFailed, PortalBeginning.failed)
        }
        do throws(HelioError) {
            let result = try beginning.start(path)
            streams = result.streams
            takesInput = result.takesInput
            input = PortalInput(bus, session: path, streams)
            clipboard =
                result.hasClipboard
                ? DesktopClipboardPort(
                    bus, destination: PortalRequest.service, path: PortalRequest.object,
                    interface: "org.freedesktop.portal.Clipboard", prefix: [.path(path)], isSwitchedOn: false,
                    typesName: "mime_types") : nil
            notes = beginning.notes(takesInput: result.takesInput)
        } catch {
            bus.post(.call(PortalRequest.service, path, "org.freedesktop.portal.Session", "Close"))
            throw error
        }
    }

    deinit { bus.post(.call(PortalRequest.service, path, "org.freedesktop.portal.Session", "Close")) }

    package func monitors() throws(HelioError) -> [ScreenMonitor] { streams.map(\.monitor) }
    package func follow(_ signal: @escaping @Sendable () -> Void) -> SessionFollower { state.follow(signal) }
    package func forgetStream(of monitor: ScreenMonitor.ID) {}
    package func lockStates() -> (caps: Bool, num: Bool)? { nil }

    package func openStream(
        of monitor: ScreenMonitor.ID, signal: @escaping @Sendable () -> Void
    ) throws(HelioError) -> PictureStream {
        guard let stream = streams.first(where: { $0.monitor.id == monitor }) else {
            throw HelioError(.captureFailed, "The person at the desktop has not allowed the monitor '\(monitor)'.")
        }
        let remote: Int32
        do throws(BusFailure) {
            remote = try bus.call(
                .call(
                    PortalRequest.service, PortalRequest.object, "org.freedesktop.portal.ScreenCast",
                    "OpenPipeWireRemote", [.path(path), .options([:])])
            ).takeDescriptor(0)
        } catch {
            throw error.error(.captureFailed, "The desktop's portal gives no pictures")
        }
        return try PictureStream(remote: remote, node: stream.node, signal: signal)
    }

    // MARK: Input

    package func send(_ input: DesktopInput) {
        guard takesInput else { return }
        self.input.send(input)
    }

    /// The counts of dropped input, by name.
    package var drops: [String: Int] { input.drops }
}
