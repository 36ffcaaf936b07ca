import Foundation
package import HelioCore
package import HelioWaylandWire
import Synchronization

// Image-copy-capture of the fake. It writes of a picture only what the protocol asks it to: what has changed since the
// session's last copy, and what the client says is old in its memory.
extension FakeCompositor {
    /// The interfaces that a compositor of today offers instead of wlroots' screencopy.
    package static let sessionGlobals: [(WaylandInterface, UInt32)] = [
        (.shm, 1), (.xdgOutputManager, 3), (.seat, 9), (.outputSourceManager, 1), (.copyManager, 1),
    ]

    /// A session of an output's pictures, or of its pointer's.
    struct Session {
        var global: UInt32
        var isPointer = false
        var hasPointer = false
        var hasCopied = false
        var frame: UInt32?
    }

    struct SessionFrame {
        var session: UInt32
        var buffer: UInt32?
        var old: [PixelRect] = []
        var isWaiting = false
    }

    /// The pointer over an output.
    package struct Pointer: Sendable {
        package var output: String
        package var x: Int, y: Int
        package var hotspot: (x: Int, y: Int) = (0, 0)
        package var size: PixelSize
        /// The pixels as 0xAARRGGBB, multiplied by alpha; one for all.
        package var colour: UInt32

        package init(on output: String, x: Int, y: Int, size: PixelSize, colour: UInt32) {
            (self.output, self.x, self.y, self.size, self.colour) = (output, x, y, size, colour)
        }
    }

    /// Shows a pointer, or none; the seat has a pointer from the first on.
    package func show(_ pointer: Pointer?) {
        let seats = state.withLock { state -> [UInt32] in
            let isFirst = state.pointer == nil && pointer != nil && !state.hasSeatPointer
            if pointer != nil { state.hasSeatPointer = true }
            let isOther = pointer.map { new in
                state.pointer.map { ($0.colour, $0.size) != (new.colour, new.size) } ?? true
            }
            if isOther == true { state.isShapeNew = true }
            state.pointer = pointer
            return isFirst ? state.objects.filter { $0.value == .seat }.map(\.key) : []
        }
        for seat in seats { send(seat, 0, words: [1]) }
        for session in state.withLock({ Array($0.cursorSessions.keys) }) { tellPointer(to: session) }
        answerWaitingSessions()
    }

    /// Says that a part of an output has changed, whose pixels are its pattern's.
    package func touch(_ name: String, _ part: PixelRect) {
        state.withLock { state in
            guard let global = state.outputs.first(where: { $0.value.name == name })?.key else { return }
            state.damage[global] = (state.damage[global] ?? part).union(part)
        }
        answerWaitingSessions()
    }

    /// Ends the sessions of an output, as a person does at the compositor.
    package func stopSessions(of name: String) {
        let global = state.withLock { $0.outputs.first { $0.value.name == name }?.key }
        if let global { stopSessions { $0.global == global } }
    }

    /// Tells the needs of all sessions again, with these formats from now on.
    package func offer(formats: [UInt32]) {
        let sessions = state.withLock { state in
            state.formats = formats
            return Array(state.sessions.keys)
        }
        for session in sessions { tellNeeds(of: session) }
    }

    /// Sets the formats of the pointer's pictures, before it is shown.
    package func setPointerFormats(_ formats: [UInt32]) { state.withLock { $0.pointerFormats = formats } }

    /// Fails copies with this reason from now on; `nil` for none.
    package func failSessions(_ reason: CopyFailure?) {
        let waiting = state.withLock { state in
            state.copyFailure = reason
            return state.sessionFrames.filter { $0.value.isWaiting }.map(\.key)
        }
        if reason != nil { for frame in waiting { capture(frame) } }
    }

    /// The numbers of the sessions of outputs so far, of those with the pointer in them, and of pixels written.
    package var sessionCounts: (sessions: Int, withPointer: Int, pixels: Int) { state.withLock { $0.sessionCounts } }

    // MARK: Requests

    func answerSession(
        _ message: WaylandInput.Message, _ interface: WaylandInterface
    ) throws(WaylandFault) {
        var reader = WaylandReader(message.body)
        switch (interface, message.opcode) {
        case (.outputSourceManager, 0):
            let (source, output) = (try reader.uint(), try reader.uint())
            state.withLock { state in
                state.objects[source] = .captureSource
                state.captureSources[source] = state.bound[output]
            }
        case (.copyManager, 0):
            let (session, source, options) = (try reader.uint(), try reader.uint(), try reader.uint())
            open(session, of: state.withLock { $0.captureSources[source] }, hasPointer: options & 1 != 0)
        case (.copyManager, 1):
            let (session, source) = (try reader.uint(), try reader.uint())
            state.withLock { state in
                state.objects[session] = .cursorSession
                state.cursorSessions[session] = state.captureSources[source]
            }
            tellPointer(to: session)
        case (.cursorSession, 1):
            open(try reader.uint(), of: state.withLock { $0.cursorSessions[message.object] }, isPointer: true)
        case (.copySession, 0): begin(try reader.uint(), in: message.object)
        case (.copyFrame, 1):
            let buffer = try reader.uint()
            state.withLock { $0.sessionFrames[message.object]?.buffer = buffer }
        case (.copyFrame, 2):
            let (x, y) = (try reader.int(), try reader.int())
            let rect = PixelRect(x: x, y: y, width: try reader.int(), height: try reader.int())
            if x < 0 || y < 0 || rect.isEmpty { return complain(message.object, 2, "invalid_buffer_damage") }
            state.withLock { $0.sessionFrames[message.object]?.old.append(rect) }
        case (.copyFrame, 3): capture(message.object)
        default: break
        }
    }

    /// Ends the connection because of a mistake of the client's.
    private func complain(_ object: UInt32, _ code: UInt32, _ text: String) {
        send(WaylandInterface.displayObject, 0, [.word(object), .word(code), .text(text)])
    }

    private func open(_ id: UInt32, of global: UInt32?, isPointer: Bool = false, hasPointer: Bool = false) {
        state.withLock { state in
            state.objects[id] = .copySession
            state.sessions[id] = Session(global: global ?? 0, isPointer: isPointer, hasPointer: hasPointer)
            if !isPointer {
                state.sessionCounts.sessions += 1
                if hasPointer { state.sessionCounts.withPointer += 1 }
            }
        }
        tellNeeds(of: id)
    }

    func tellNeeds(of id: UInt32) {
        let (size, formats) = state.withLock { state -> (PixelSize?, [UInt32]) in
            guard let session = state.sessions[id] else { return (nil, []) }
            if session.isPointer { return (state.pointer?.size, state.pointer == nil ? [] : state.pointerFormats) }
            return (state.outputs[session.global]?.mode, state.formats)
        }
        send(id, 0, words: [UInt32(size?.width ?? 0), UInt32(size?.height ?? 0)])
        for format in formats { send(id, 1, words: [format]) }
        send(id, 4)
    }

    private func tellPointer(to session: UInt32) {
        let (pointer, wasInside) = state.withLock { state -> (Pointer?, Bool) in
            let output = state.cursorSessions[session].flatMap { state.outputs[$0]?.name }
            let pointer = state.pointer.flatMap { $0.output == output ? $0 : nil }
            let wasInside = state.entered.contains(session)
            if pointer == nil { state.entered.remove(session) } else { state.entered.insert(session) }
            return (pointer, wasInside)
        }
        guard let pointer else {
            if wasInside { send(session, 1) }
            return
        }
        let pictures = state.withLock { state in state.sessions.filter { $0.value.isPointer }.map(\.key) }
        for picture in pictures { tellNeeds(of: picture) }
        if !wasInside { send(session, 0) }
        send(session, 2, words: [UInt32(bitPattern: Int32(pointer.x)), UInt32(bitPattern: Int32(pointer.y))])
        send(session, 3, words: [UInt32(pointer.hotspot.x), UInt32(pointer.hotspot.y)])
    }

    private func begin(_ frame: UInt32, in session: UInt32) {
        let isSecond = state.withLock { state in
            let isSecond = state.sessions[session]?.frame != nil
            state.objects[frame] = .copyFrame
            state.sessions[session]?.frame = frame
            state.sessionFrames[frame] = SessionFrame(session: session)
            return isSecond
        }
        if isSecond { complain(session, 1, "duplicate_frame") }
    }

    private func capture(_ frame: UInt32) {
        enum Next {
            case wait
            case fail(CopyFailure)
            case complete, complain
        }
        let next = state.withLock { state -> Next in
            guard let own = state.sessionFrames[frame], let session = state.sessions[own.session] else {
                return .fail(.stopped)
            }
            guard own.buffer != nil else { return .complain }
            if !session.isPointer, let failure = state.copyFailure { return .fail(failure) }
            let isNews = session.isPointer ? state.isShapeNew : state.damage[session.global] != nil
            if session.hasCopied ? isNews : !session.isPointer || state.pointer != nil { return .complete }
            state.sessionFrames[frame]?.isWaiting = true
            return .wait
        }
        switch next {
        case .wait: break
        case .fail(let reason): fail(frame, reason)
        case .complete: completeSession(frame)
        case .complain: complain(frame, 1, "no_buffer")
        }
    }

    private func fail(_ frame: UInt32, _ reason: CopyFailure) {
        state.withLock { $0.sessionFrames[frame]?.isWaiting = false }
        send(frame, 4, words: [reason.rawValue])
    }

    func answerWaitingSessions() {
        for frame in state.withLock({ $0.sessionFrames.filter { $0.value.isWaiting }.map(\.key) }) { capture(frame) }
    }

    func stopSessions(where isOver: (Session) -> Bool) {
        let (ended, waiting) = state.withLock { state in
            let ended = state.sessions.filter { isOver($0.value) }.map(\.key)
            return (
                ended, state.sessionFrames.filter { ended.contains($0.value.session) && $0.value.isWaiting }.map(\.key)
            )
        }
        for session in ended { send(session, 5) }
        for frame in waiting { fail(frame, .stopped) }
    }

    // MARK: Pictures

    private func completeSession(_ frame: UInt32) {
        let told = state.withLock { state -> (damage: PixelRect, transform: UInt32)? in
            guard let own = state.sessionFrames[frame], let session = state.sessions[own.session],
                let (memory, layout) = own.buffer.flatMap({ state.buffers[$0] })
            else { return nil }
            state.sessionFrames[frame]?.isWaiting = false
            let size = session.isPointer ? state.pointer?.size : state.outputs[session.global]?.mode
            guard let size, size == PixelSize(width: layout.width, height: layout.height) else { return nil }
            let whole = PixelRect(size)
            let new = session.hasCopied && !session.isPointer ? state.damage[session.global] ?? whole : whole
            let output = state.outputs[session.global]
            var written = Region()
            for part in own.old + [new] { written.add(part.intersection(whole)) }
            for part in written.rects {
                for y in part.y..<part.maxY {
                    let pixels = (part.x..<part.maxX).map { x in
                        session.isPointer ? state.pointer?.colour ?? 0 : output?.pattern?(x, y) ?? output?.colour ?? 0
                    }
                    _ = pixels.withUnsafeBytes {
                        pwrite(memory, $0.baseAddress, $0.count, off_t(y * layout.stride + part.x * 4))
                    }
                }
                if !session.isPointer { state.sessionCounts.pixels += part.area }
            }
            state.sessions[own.session]?.hasCopied = true
            if session.isPointer {
                state.isShapeNew = false
            } else {
                state.damage[session.global] = nil
                state.copies += 1
            }
            return (new, session.isPointer ? 0 : output?.transform ?? 0)
        }
        guard let told else { return fail(frame, .needs) }
        send(frame, 0, words: [told.transform])
        send(frame, 1, words: [told.damage.x, told.damage.y, told.damage.width, told.damage.height].map { UInt32($0) })
        send(frame, 2, words: [0, 1, 0])
        send(frame, 3)
    }

    func forgetSession(_ object: UInt32) {
        state.withLock { state in
            if let frame = state.sessionFrames.removeValue(forKey: object),
                state.sessions[frame.session]?.frame == object
            {
                state.sessions[frame.session]?.frame = nil
            }
            state.sessions[object] = nil
            state.cursorSessions[object] = nil
            state.captureSources[object] = nil
            state.entered.remove(object)
        }
    }
}
