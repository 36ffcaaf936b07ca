import Glibc
package import HelioCore
package import HelioDBusWire
import HelioGround
import Synchronization

/// A connection to the session's message bus. All methods may be called on any thread.
///
/// A thread reads: it hands answers to the threads that wait for them, and signals to those who listen. As nothing is
/// queued beyond a message, a flood waits in the bus.
package final class BusConnection: Sendable {
    /// An answer's arguments, and the descriptors to which they refer.
    package struct Answer: Sendable {
        package var arguments: [DBusValue]
        package var descriptors: [BusDescriptor]

        /// Returns the descriptor of an argument, which the caller closes. Throws if the argument is none.
        package func takeDescriptor(_ index: Int) throws(BusFailure) -> Int32 {
            guard arguments.indices.contains(index), case .descriptor(let place) = arguments[index],
                descriptors.indices.contains(Int(place))
            else { throw BusFailure(BusFailure.unexpected, "The answer has no file descriptor") }
            return descriptors[Int(place)].take()
        }
    }

    /// The time for an answer, unless a person must give it.
    package static let patience = Duration.seconds(10)

    private let link: BusLink
    /// This connection's name on the bus.
    package let name: String

    /// Connects. Throws `unreachable`.
    ///
    /// - Parameters:
    ///   - addresses: as in `$DBUS_SESSION_BUS_ADDRESS`.
    ///   - answering: returns the answers to calls of other programs, on the connection's thread; `nil` for methods
    ///     that there are not.
    package init(
        addresses: String, answering: (@Sendable (DBusMessage) -> DBusMessage?)? = nil
    ) throws(HelioError) {
        let socket = try BusSocket(addresses: addresses, until: MonotonicClock.now + Self.patience)
        let link = BusLink(socket, answering)
        try WorkerThread.start(name: "helio-bus", stack: WorkerThread.usualStack) { link.run() }
        self.link = link
        do throws(BusFailure) {
            let bus = "org.freedesktop.DBus"
            let hello = try link.call(
                .call(bus, "/org/freedesktop/DBus", bus, "Hello"), until: MonotonicClock.now + Self.patience)
            name = hello.arguments.first?.text ?? ""
        } catch {
            link.close()
            throw error.error(.unreachable, "The session's D-Bus does not let this program in")
        }
    }

    deinit { link.close() }

    /// Calls a method and waits for its answer. Not to be called in a handler.
    ///
    /// - Parameter patience: the time for the answer.
    @discardableResult
    package func call(_ message: DBusMessage, within patience: Duration = patience) throws(BusFailure) -> Answer {
        try link.call(message, until: MonotonicClock.now + patience)
    }

    /// Sends a message whose answer nobody waits for. Once the connection has failed, nothing happens.
    ///
    /// - Parameter descriptors: these stay the caller's.
    package func post(_ message: DBusMessage, descriptors: [Int32] = []) {
        var message = message
        if message.kind == .call { message.isOneWay = true }
        link.post(message, descriptors)
    }

    /// Calls a method of which only the end matters.
    ///
    /// - Parameter ended: called once when it has an answer, which may be an error (true), or will have none (false); on
    ///   the connection's thread, which must not be blocked, unless the connection has ended already.
    package func post(_ message: DBusMessage, ended: @escaping @Sendable (Bool) -> Void) {
        link.post(message, [], ended: ended)
    }

    /// Has `handler` called for signals, on the connection's thread, until the returned object is released. The handler
    /// must not block, nor call methods.
    ///
    /// - Parameters:
    ///   - path: of the object that sends them; `nil` for any.
    ///   - argument: their first argument, a string; `nil` for any.
    ///   - ended: called once if the connection is lost.
    package func listen(
        to interface: String, path: String?, argument: String? = nil, ended: @escaping @Sendable () -> Void = {},
        _ handler: @escaping @Sendable (DBusMessage) -> Void
    ) throws(BusFailure) -> BusSubscription {
        let number = link.add(BusLink.Listener(interface: interface, path: path, handler: handler, ended: ended))
        let rule =
            "type='signal',interface='\(interface)'" + (path.map { ",path='\($0)'" } ?? "")
            + (argument.map { ",arg0='\($0)'" } ?? "")
        let subscription = BusSubscription(link, number, rule)
        try call(Self.bus("AddMatch", [.string(rule)]))
        return subscription
    }

    /// Returns the value of a property.
    package func property(
        _ name: String, of interface: String, at path: String, _ destination: String
    ) throws(BusFailure) -> DBusValue {
        let answer = try call(
            .call(
                destination, path, "org.freedesktop.DBus.Properties", "Get", [.string(interface), .string(name)]))
        guard let value = answer.arguments.first else {
            throw BusFailure(BusFailure.unexpected, "The property \(name) has no value")
        }
        return value.unwrapped
    }

    /// Returns true if a program has the name on the bus, or is started by the bus for who calls it.
    package func offers(_ name: String) -> Bool {
        if let answer = try? call(Self.bus("NameHasOwner", [.string(name)])), answer.arguments.first?.isTrue == true {
            return true
        }
        let names = (try? call(Self.bus("ListActivatableNames")))?.arguments.first?.elements ?? []
        return names.contains(.string(name))
    }

    /// Takes a name on the bus; returns false if another program has it.
    package func own(_ name: String) -> Bool {
        // DBUS_NAME_FLAG_DO_NOT_QUEUE; DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER.
        (try? call(Self.bus("RequestName", [.string(name), .uint32(4)])))?.arguments.first?.number == 1
    }

    static func bus(_ member: String, _ arguments: [DBusValue] = []) -> DBusMessage {
        .call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", member, arguments)
    }
}

/// A registration for signals, which ends with this object.
package final class BusSubscription: Sendable {
    private let link: BusLink
    private let number: Int
    private let rule: String

    init(_ link: BusLink, _ number: Int, _ rule: String) {
        self.link = link
        self.number = number
        self.rule = rule
    }

    deinit {
        link.remove(number)
        var message = BusConnection.bus("RemoveMatch", [.string(rule)])
        message.isOneWay = true
        link.post(message, [])
    }
}
