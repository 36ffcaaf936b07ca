import Glibc
package import HelioCore
package import HelioGround
package import HelioWaylandWire

/// A connection to a compositor: objects by their identifiers, requests, and events one at a time. Used by one thread
/// at a time.
package final class WaylandConnection {
    /// An event and the object that sent it.
    package struct Notice {
        package var object: UInt32
        package var event: WaylandEvent
    }

    private struct Object {
        var interface: WaylandInterface
        var version: UInt32
        /// False once this client has destroyed the object: its events are dropped until the compositor forgets it,
        /// too.
        var isAlive = true
    }

    /// The most objects, and the most bytes and descriptors of requests that wait for the compositor to read them.
    private static let mostObjects = 4096, mostUnsent = 1024 * 1024, mostUnsentDescriptors = 256
    /// The unsent descriptors from which on they are sent at once, and from which on the compositor is behind.
    private static let manyDescriptors = 20
    private static let readsNothing = "does not read this program's requests"
    /// The longest wait for the compositor's answers.
    package static let patience = Duration.seconds(5)

    /// The compositor's socket, for messages to people.
    package let name: String
    package var fileDescriptor: Int32 { socket.descriptor }
    /// The globals that the compositor offers at present.
    package private(set) var globals: [WaylandGlobal] = []
    package private(set) var drops = DropCounter<WaylandDrop>()

    private let socket: WaylandSocket
    private var input = WaylandInput()
    private var objects: [UInt32: Object] = [WaylandInterface.displayObject: Object(interface: .display, version: 1)]
    private var freeIDs: [UInt32] = []
    private var nextID = WaylandInterface.displayObject + 1
    private var unsent: [UInt8] = []
    /// The descriptors of requests in `unsent`, in their order: duplicates, which are closed when they are sent.
    private var unsentDescriptors: [Int32] = []
    private var registry: UInt32 = 0
    private var buffer = [UInt8](repeating: 0, count: 32 * 1024)
    /// The error that ended the connection; every later call throws it.
    private var failure: HelioError?
    /// True once the connection has ended. Its end is noticed as events are read.
    package var hasFailed: Bool { failure != nil }

    /// Connects to a compositor, and reads which globals it offers. Throws `captureFailed` if it can't be reached or
    /// does not answer.
    ///
    /// - Parameter path: the socket's path.
    package convenience init(path: String) throws(HelioError) {
        let socket: WaylandSocket
        do throws(HelioError) {
            socket = try WaylandSocket(path: path)
        } catch {
            throw HelioError(.captureFailed, "No Wayland compositor answers at \(path).")
        }
        try self.init(socket, name: path)
    }

    /// Takes over a connected socket.
    package init(_ socket: WaylandSocket, name: String) throws(HelioError) {
        self.socket = socket
        self.name = name
        registry = try make(.registry)
        send(.getRegistry(registry), to: WaylandInterface.displayObject)
        try roundTrip { _ throws(HelioError) in }
    }

    deinit {
        for descriptor in input.takeDescriptors() + unsentDescriptors { close(descriptor) }
    }

    // MARK: Objects

    /// Returns the identifier of a new object, to be sent with the request that makes it. Throws `systemFailed` if
    /// there are too many.
    package func make(_ interface: WaylandInterface, version: UInt32 = 1) throws(HelioError) -> UInt32 {
        guard objects.count < Self.mostObjects else {
            throw fail("keeps \(Self.mostObjects) objects that this program has destroyed")
        }
        let id: UInt32
        if let free = freeIDs.popLast() {
            id = free
        } else {
            id = nextID
            nextID += 1
        }
        objects[id] = Object(interface: interface, version: version)
        return id
    }

    /// Adds an object that the compositor has made.
    package func adopt(_ id: UInt32, as interface: WaylandInterface) -> Bool {
        guard id >= WaylandInterface.firstServerObject, objects.count < Self.mostObjects else {
            drops.count(.objectRefused)
            return false
        }
        objects[id] = Object(interface: interface, version: 1)
        return true
    }

    /// Destroys an object of this client's; its later events are dropped.
    package func destroy(_ id: UInt32) {
        guard let object = objects[id], object.isAlive else { return }
        if let opcode = object.interface.destroyOpcode(version: object.version) {
            send(.destroy(opcode: opcode), to: id)
        }
        if id >= WaylandInterface.firstServerObject {
            objects[id] = nil
        } else {
            objects[id]?.isAlive = false
        }
    }

    /// Binds the global of an interface that came first; `nil` if the compositor offers none.
    package func bind(_ interface: WaylandInterface) throws(HelioError) -> (id: UInt32, version: UInt32)? {
        guard let global = globals.first(where: { $0.interface == interface.rawValue }) else { return nil }
        return try bind(global, as: interface)
    }

    package func bind(
        _ global: WaylandGlobal, as interface: WaylandInterface
    ) throws(HelioError) -> (id: UInt32, version: UInt32) {
        let version = min(global.version, interface.latestVersion)
        let id = try make(interface, version: version)
        send(.bind(name: global.name, interface, version: version, id: id), to: registry)
        return (id, version)
    }

    // MARK: Requests

    /// Queues a request. A descriptor that goes with it is duplicated, so the caller may close it.
    package func send(_ request: WaylandRequest, to object: UInt32) {
        if failure != nil { return }
        if let descriptor = request.descriptor {
            guard unsentDescriptors.count < Self.mostUnsentDescriptors else {
                _ = fail(Self.readsNothing)
                return
            }
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else {
                failure = HelioError(.systemFailed, "No file descriptor is left for this process.")
                return
            }
            unsentDescriptors.append(copy)
        }
        request.append(to: &unsent, object: object)
        // The descriptors of one write are limited.
        if unsentDescriptors.count >= Self.manyDescriptors || unsent.count > 16 * 1024 { sendQueued() }
    }

    /// True while the compositor has not read many requests: requests that later ones make pointless are best left out.
    package var isBehind: Bool { unsent.count > 32 * 1024 || unsentDescriptors.count >= Self.manyDescriptors }

    /// Sends the queued requests, as far as the compositor reads them. Throws `captureFailed` if the connection has
    /// failed.
    package func flush() throws(HelioError) {
        sendQueued()
        if let failure { throw failure }
    }

    private func sendQueued() {
        var sent = 0
        sending: while sent < unsent.count, failure == nil {
            let descriptors = Array(unsentDescriptors.prefix(WaylandSocket.mostDescriptors))
            // A request whose bytes arrive before its descriptor is an error, so while more descriptors wait than go
            // with one write, each write has half of a request's header.
            let hasMore = unsentDescriptors.count > descriptors.count
            let bytes = hasMore ? unsent[sent...].prefix(4) : unsent[sent...]
            switch socket.send(bytes, descriptors: descriptors) {
            case .done(let count):
                sent += count
                for descriptor in descriptors { close(descriptor) }
                unsentDescriptors.removeFirst(descriptors.count)
            case .wouldBlock: break sending
            case .closed, .truncated:
                // The compositor's last words, such as an error, may still be unread.
                break sending
            }
        }
        unsent.removeSubrange(..<sent)
        if unsent.count > Self.mostUnsent { _ = fail(Self.readsNothing) }
    }

    // MARK: Events

    /// Returns the next event, without waiting for one. Throws `captureFailed` if the connection has failed.
    package func next() throws(HelioError) -> Notice? {
        if let failure { throw failure }
        while true {
            if let notice = try nextReceived() { return notice }
            if let failure { throw failure }
            if try !receive() { return nil }
        }
    }

    /// Returns the next event among the received bytes.
    private func nextReceived() throws(HelioError) -> Notice? {
        do throws(WaylandFault) {
            while failure == nil, let message = try input.next() {
                if let notice = try read(message) { return notice }
            }
            return nil
        } catch {
            drops.count(.malformed)
            throw fail("sends what is not Wayland's protocol (\(error.rawValue))")
        }
    }

    /// The descriptor to poll beside others: for the compositor's events, and for requests that it has yet to read.
    package var poll: DescriptorPoll { DescriptorPoll(socket.descriptor, wantsToSend: !unsent.isEmpty) }

    /// Waits until the compositor sends something, or a wake-up or an instant comes; `nil` waits without limit.
    package func wait(alongside wakeup: Wakeup? = nil, until: Instant?) {
        var polled = [poll, DescriptorPoll(wakeup?.descriptor ?? -1)]
        DescriptorPoll.wait(&polled, until: until)
    }

    /// Waits until the compositor has handled all requests so far. Throws `captureFailed` if it takes longer than
    /// `limit`, which leaves the connection as it is: a compositor that was stopped for a while goes on.
    ///
    /// - Parameter take: called with each event that comes meanwhile.
    package func roundTrip(
        within limit: Duration = patience, _ take: (Notice) throws(HelioError) -> Void
    ) throws(HelioError) {
        let callback = try make(.callback)
        send(.sync(callback: callback), to: WaylandInterface.displayObject)
        try takeAll(until: { $0.object == callback }, within: limit, take)
    }

    /// Waits for an event; all that come before it are passed to `take`, and it as well.
    package func takeAll(
        until isLast: (Notice) -> Bool, within limit: Duration = patience, _ take: (Notice) throws(HelioError) -> Void
    ) throws(HelioError) {
        let until = MonotonicClock.now + limit
        while true {
            try flush()
            while let notice = try next() {
                try take(notice)
                if isLast(notice) { return }
            }
            if MonotonicClock.now >= until { throw error("has not answered for \(limit.components.seconds) s") }
            var polled = [poll]
            DescriptorPoll.wait(&polled, until: until)
        }
    }

    /// Reads what has arrived; returns false if there is nothing.
    private func receive() throws(HelioError) -> Bool {
        var descriptors: [Int32] = []
        let result = buffer.withUnsafeMutableBufferPointer { socket.receive(into: $0, descriptors: &descriptors) }
        switch result {
        case .done(let count):
            do throws(WaylandFault) {
                try input.receive(buffer[..<count], descriptors: descriptors)
            } catch {
                for descriptor in descriptors { close(descriptor) }
                throw fail("sends file descriptors that belong to no event")
            }
            return true
        case .wouldBlock: return false
        case .truncated:
            for descriptor in descriptors { close(descriptor) }
            throw fail("sends more file descriptors at once than Wayland's protocol allows")
        case .closed: throw fail("has closed the connection")
        }
    }

    /// Reads a message; `nil` if it is not for the owner.
    private func read(_ message: WaylandInput.Message) throws(WaylandFault) -> Notice? {
        guard let object = objects[message.object] else {
            drops.count(.unknownObject)
            return nil
        }
        let event = try WaylandEvent.parse(message, of: object.interface, &input)
        switch event {
        case .error(_, let code, let text):
            _ = fail("has ended the connection (error \(code): \(Self.printable(text)))")
            return nil
        case .idDeleted(let id):
            if let deleted = objects[id], !deleted.isAlive || deleted.interface == .callback {
                objects[id] = nil
                freeIDs.append(id)
            }
            return nil
        case .global(let name, let interface, let version): add(name, interface, version)
        case .globalRemoved(let name): globals.removeAll { $0.name == name }
        case .other: return nil
        default: break
        }
        if object.isAlive { return Notice(object: message.object, event: event) }
        if case .send(_, let descriptor) = event { close(descriptor) }
        return nil
    }

    private func add(_ name: UInt32, _ interface: String, _ version: UInt32) {
        guard globals.count < WaylandGlobal.most, interface.utf8.count <= 100 else {
            return drops.count(.globalRefused)
        }
        globals.append(WaylandGlobal(name: name, interface: interface, version: version))
    }

    /// Ends the connection with an error.
    ///
    /// - Parameter what: what the compositor did, as a part of a sentence.
    private func fail(_ what: String) -> HelioError {
        let error = failure ?? self.error(what)
        failure = error
        return error
    }

    private func error(_ what: String) -> HelioError {
        HelioError(.captureFailed, "The Wayland compositor at \(name) \(what).")
    }

    /// A compositor's text for a person: short, and without control characters.
    private static func printable(_ text: String) -> String {
        String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.prefix(200).map(Character.init))
    }
}
