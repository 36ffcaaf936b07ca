import Foundation
package import HelioCore
package import HelioWayland
package import HelioWaylandWire
import Synchronization

/// A Wayland compositor of the test's own, on a thread of its own, for one client at the other end of a socket pair:
/// outputs, screencopy, image-copy-capture, a clipboard, and whatever lies the test wants told.
package final class FakeCompositor: Sendable {
    /// An output; its picture is one colour, or a pattern.
    package struct Output: Sendable {
        package var name: String
        package var mode: PixelSize
        package var transform: UInt32 = 0
        package var scale: UInt32 = 1
        /// The pixels, as 0xRRGGBB.
        package var colour: UInt32 = 0
        /// The pixel at each column and row in memory; `nil` for the colour.
        package var pattern: (@Sendable (Int, Int) -> UInt32)?

        package init(_ name: String, _ mode: PixelSize, colour: UInt32 = 0) {
            (self.name, self.mode, self.colour) = (name, mode, colour)
        }
    }

    /// An argument of an event.
    package enum Argument: Sendable {
        case word(UInt32)
        case text(String)
    }

    struct State {
        var objects: [UInt32: WaylandInterface] = [WaylandInterface.displayObject: .display]
        var globals: [(name: UInt32, interface: String, version: UInt32)] = []
        var nextName: UInt32 = 1
        var registry: UInt32?
        /// The outputs by the names of their globals, and the objects that the client has bound to each.
        var outputs: [UInt32: Output] = [:]
        var bound: [UInt32: UInt32] = [:]
        /// The client's xdg_outputs, and the output of each.
        var places: [UInt32: UInt32] = [:]
        /// The client's memory by pool, and the memory and layout of each buffer, which outlives its pool's identifier.
        var pools: [UInt32: Int32] = [:]
        var buffers: [UInt32: (memory: Int32, layout: ShmLayout)] = [:]
        /// The output that each frame copies, and the buffer that waits for a change.
        var frames: [UInt32: UInt32] = [:]
        var waiting: [(frame: UInt32, buffer: UInt32)] = []
        /// The changes that no copy has told yet, by the output's global.
        var damage: [UInt32: PixelRect] = [:]
        var failsCopies = false
        var copies = 0
        /// Changes the memory that a copy is said to need.
        var lie: @Sendable (ShmLayout) -> ShmLayout = { $0 }
        var isReadyEarly = false
        /// The client's sources, sessions and frames of image-copy-capture, and the pointer; see
        /// `FakeCompositor+Sessions`.
        var captureSources: [UInt32: UInt32] = [:]
        var sessions: [UInt32: Session] = [:]
        var cursorSessions: [UInt32: UInt32] = [:]
        var sessionFrames: [UInt32: SessionFrame] = [:]
        var formats: [UInt32] = [1, 0]
        var pointerFormats: [UInt32] = [0]
        var copyFailure: CopyFailure?
        var pointer: Pointer?
        var hasSeatPointer = false
        var isShapeNew = false
        var entered: Set<UInt32> = []
        var sessionCounts = (sessions: 0, withPointer: 0, pixels: 0)
        /// The client's data device, the contents of the offers that it was told, and the types of its own sources.
        var device: UInt32?
        var offers: [UInt32: [String: [UInt8]]] = [:]
        var sources: [UInt32: [String]] = [:]
        /// The client's source that is selected; `nil` for a copy of the test's.
        var selected: UInt32?
        var pipes: [Int32] = []
    }

    /// The client's end.
    private let client: Int32
    private let server: Int32
    let state = Mutex(State())

    /// Starts a compositor with these globals beside the outputs.
    package init(
        _ globals: [(WaylandInterface, UInt32)] = [(.shm, 1), (.xdgOutputManager, 3), (.screencopyManager, 3)],
        outputs: [Output] = []
    ) {
        var ends: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        (client, server) = (ends[0], ends[1])
        for (interface, version) in globals { addGlobal(interface.rawValue, version) }
        for output in outputs { add(output) }
        // The thread has a descriptor of its own, so that it can end after this object.
        let own = dup(server)
        Thread.detachNewThread { [weak self] in
            let socket = WaylandSocket(taking: own)
            var input = WaylandInput()
            var buffer = [UInt8](repeating: 0, count: 65536)
            while true {
                var polled = pollfd(fd: own, events: Int16(POLLIN), revents: 0)
                poll(&polled, 1, -1)
                var descriptors: [Int32] = []
                let result = buffer.withUnsafeMutableBufferPointer {
                    socket.receive(into: $0, descriptors: &descriptors)
                }
                guard case .done(let size) = result, let self else { break }
                try? input.receive(buffer[..<size], descriptors: descriptors)
                self.handle(&input)
            }
        }
    }

    /// Returns a connection to this compositor, the only one.
    package func connect() throws(HelioError) -> WaylandConnection {
        try WaylandConnection(WaylandSocket(taking: client), name: "fake")
    }

    deinit {
        hangUp()
        close(server)
    }

    /// Ends the connection.
    package func hangUp() { shutdown(server, Int32(SHUT_RDWR)) }

    private func handle(_ input: inout WaylandInput) {
        while let message = try? input.next() {
            do {
                try answer(message, &input)
            } catch {
                hangUp()
            }
        }
    }

    // MARK: Events

    /// Sends an event.
    package func send(
        _ object: UInt32, _ opcode: UInt16, _ arguments: [Argument] = [], descriptors: [Int32] = []
    ) {
        var body: [UInt8] = []
        for argument in arguments {
            switch argument {
            case .word(let word): withUnsafeBytes(of: word) { body += $0 }
            case .text(let text):
                withUnsafeBytes(of: UInt32(text.utf8.count + 1)) { body += $0 }
                body += Array(text.utf8) + [0]
                while body.count % 4 != 0 { body.append(0) }
            }
        }
        var bytes: [UInt8] = []
        withUnsafeBytes(of: object) { bytes += $0 }
        withUnsafeBytes(of: UInt32(body.count + 8) << 16 | UInt32(opcode)) { bytes += $0 }
        send(raw: bytes + body, descriptors: descriptors)
    }

    package func send(_ object: UInt32, _ opcode: UInt16, words: [UInt32]) {
        send(object, opcode, words.map { .word($0) })
    }

    /// Sends bytes as they are.
    package func send(raw bytes: [UInt8], descriptors: [Int32] = []) {
        let socket = WaylandSocket(taking: dup(server))
        var sent = 0
        while sent < bytes.count {
            switch socket.send(bytes[sent...], descriptors: sent == 0 ? descriptors : []) {
            case .done(let count): sent += count
            case .wouldBlock:
                var polled = pollfd(fd: server, events: Int16(POLLOUT), revents: 0)
                poll(&polled, 1, 1000)
            case .closed, .truncated: return
            }
        }
    }

    // MARK: Globals and outputs

    package func addGlobal(_ interface: String, _ version: UInt32) {
        let (name, registry) = state.withLock { state in
            let name = state.nextName
            state.nextName += 1
            state.globals.append((name, interface, version))
            return (name, state.registry)
        }
        if let registry { send(registry, 0, [.word(name), .text(interface), .word(version)]) }
    }

    package func add(_ output: Output) {
        state.withLock { $0.outputs[$0.nextName] = output }
        addGlobal(WaylandInterface.output.rawValue, 4)
    }

    package func remove(_ name: String) {
        let (global, registry) = state.withLock { state -> (UInt32?, UInt32?) in
            let global = state.outputs.first { $0.value.name == name }?.key
            state.globals.removeAll { $0.name == global }
            if let global { state.outputs[global] = nil }
            return (global, state.registry)
        }
        if let global, let registry { send(registry, 1, words: [global]) }
        failWaiting()
        if let global { stopSessions { $0.global == global } }
    }

    /// Changes an output, and tells the client.
    package func change(_ name: String, _ change: (inout Output) -> Void) {
        let (objects, places) = state.withLock { state -> ([UInt32], [UInt32: UInt32]) in
            guard let global = state.outputs.first(where: { $0.value.name == name })?.key else { return ([], [:]) }
            change(&state.outputs[global]!)
            let objects = state.bound.filter { $0.value == global }.map(\.key)
            return (objects, state.places.filter { objects.contains($0.value) })
        }
        for object in objects { describe(object) }
        for (object, output) in places { place(object, of: output) }
        for session in state.withLock({ $0.sessions.filter { !$0.value.isPointer }.map(\.key) }) {
            tellNeeds(of: session)
        }
    }

    /// Paints an output, or a part of it, which counts as changed, and answers the copy that waits for it.
    package func paint(_ name: String, _ colour: UInt32, _ part: PixelRect? = nil) {
        state.withLock { state in
            guard let global = state.outputs.first(where: { $0.value.name == name })?.key else { return }
            state.outputs[global]!.colour = colour
            let part = part ?? PixelRect(state.outputs[global]!.mode)
            state.damage[global] = (state.damage[global] ?? part).union(part)
        }
        answerWaiting()
        answerWaitingSessions()
    }

    /// Lets copies fail from now on, that under way as well, as an output does that is off.
    package func failCopies(_ fails: Bool) {
        state.withLock { $0.failsCopies = fails }
        if fails { failWaiting() }
        failSessions(fails ? .unknown : nil)
    }

    /// Changes what the compositor says about copies.
    package func lie(
        readyEarly: Bool = false, _ lie: @escaping @Sendable (ShmLayout) -> ShmLayout = { $0 }
    ) {
        state.withLock { ($0.lie, $0.isReadyEarly) = (lie, readyEarly) }
    }

    /// The copy that waits for a change; `nil` if there is none.
    package var waitingFrame: UInt32? { state.withLock { $0.waiting.first?.frame } }

    /// The number of copies so far.
    package var copies: Int { state.withLock { $0.copies } }
}
