import Foundation
import HelioCore
import HelioWaylandWire
import Synchronization

extension FakeCompositor {
    /// Answers a request, on the compositor's thread.
    func answer(_ message: WaylandInput.Message, _ input: inout WaylandInput) throws(WaylandFault) {
        var reader = WaylandReader(message.body)
        let interface = state.withLock { $0.objects[message.object] }
        switch (interface, message.opcode) {
        case (.display, 0):
            let callback = try reader.uint()
            send(callback, 0, words: [0])
            send(WaylandInterface.displayObject, 1, words: [callback])
        case (.display, 1): tellGlobals(to: try reader.uint())
        case (.registry, 0):
            let (name, text) = (try reader.uint(), try reader.string())
            _ = try reader.uint()
            bind(name, text, try reader.uint())
        case (.xdgOutputManager, 1):
            let object = try reader.uint()
            place(object, of: try reader.uint())
        case (.shm, 0):
            let pool = try reader.uint()
            let memory = input.takeDescriptor()
            state.withLock { state in
                state.objects[pool] = .shmPool
                state.pools[pool] = memory
            }
        case (.shmPool, 0):
            let buffer = try reader.uint()
            _ = try reader.int()
            let (width, height, stride) = (try reader.int(), try reader.int(), try reader.int())
            let layout = ShmLayout(format: try reader.uint(), width: width, height: height, stride: stride)
            state.withLock { state in
                state.objects[buffer] = .buffer
                if let memory = state.pools[message.object] { state.buffers[buffer] = (memory, layout) }
            }
        case (.screencopyManager, 0):
            let frame = try reader.uint()
            _ = try reader.uint()
            begin(frame, of: try reader.uint())
        case (.screencopyFrame, 0), (.screencopyFrame, 2):
            try copy(message.object, to: reader.uint(), waits: message.opcode == 2)
        case (.dataControlManager, _), (.dataControlDevice, 0), (.dataControlSource, 0), (.dataControlOffer, 0):
            try answerClipboard(message, interface, &input)
        case (.dataControlOffer, 1): state.withLock { $0.objects[message.object] = nil }
        case (.dataControlDevice, 1), (.dataControlSource, 1): forget(message.object)
        case (.copySession, 1), (.copyFrame, 0), (.captureSource, 0), (.cursorSession, 0):
            forgetSession(message.object)
            forget(message.object)
        case (.outputSourceManager?, _), (.copyManager?, _), (.copySession?, _), (.copyFrame?, _), (.cursorSession?, _):
            if let interface { try answerSession(message, interface) }
        case (.seat, 0):
            let pointer = try reader.uint()
            state.withLock { $0.objects[pointer] = .pointer }
        case (.pointer, 1): forget(message.object)
        case (.shmPool, 1), (.screencopyFrame, 1), (.buffer, 0), (.output, 0), (.xdgOutput, 0): forget(message.object)
        default: break
        }
    }

    private func tellGlobals(to registry: UInt32) {
        let globals = state.withLock { state in
            state.objects[registry] = .registry
            state.registry = registry
            return state.globals
        }
        for global in globals {
            send(registry, 0, [.word(global.name), .text(global.interface), .word(global.version)])
        }
    }

    private func bind(_ name: UInt32, _ interface: String, _ object: UInt32) {
        state.withLock { state in
            // Both kinds of data control have the same requests.
            let isCommon = interface == WaylandInterface.commonDataControlManager.rawValue
            state.objects[object] = isCommon ? .dataControlManager : WaylandInterface(rawValue: interface)
            if state.outputs[name] != nil { state.bound[object] = name }
        }
        describe(object)
        if interface == WaylandInterface.seat.rawValue {
            send(object, 0, words: [state.withLock { $0.hasSeatPointer } ? 1 : 0])
        }
    }

    /// Describes an output to the object that is bound to it.
    func describe(_ object: UInt32) {
        guard let output = state.withLock({ state in state.bound[object].flatMap { state.outputs[$0] } }) else {
            return
        }
        send(
            object, 0,
            [.word(0), .word(0), .word(0), .word(0), .word(0), .text("fake"), .text("fake"), .word(output.transform)])
        send(object, 1, words: [1, UInt32(output.mode.width), UInt32(output.mode.height), 60_000])
        send(object, 3, words: [output.scale])
        send(object, 4, [.text(output.name)])
        send(object, 2)
    }

    /// Tells an output's place: those of earlier globals are to its left.
    func place(_ object: UInt32, of output: UInt32) {
        let (x, size) = state.withLock { state -> (Int, PixelSize) in
            state.objects[object] = .xdgOutput
            state.places[object] = output
            guard let name = state.bound[output], let own = state.outputs[name] else {
                return (0, PixelSize(width: 0, height: 0))
            }
            let x = state.outputs.filter { $0.key < name }.reduce(0) { $0 + $1.value.mode.width }
            let isSideways = own.transform & 1 != 0
            return (
                x,
                PixelSize(
                    width: (isSideways ? own.mode.height : own.mode.width) / Int(own.scale),
                    height: (isSideways ? own.mode.width : own.mode.height) / Int(own.scale))
            )
        }
        send(object, 0, words: [UInt32(x), 0])
        send(object, 1, words: [UInt32(size.width), UInt32(size.height)])
        send(output, 2)
    }

    private func begin(_ frame: UInt32, of output: UInt32) {
        let (layout, fails, isReadyEarly) = state.withLock { state -> (ShmLayout?, Bool, Bool) in
            state.objects[frame] = .screencopyFrame
            let global = state.bound[output]
            if let global { state.frames[frame] = global }
            let layout = global.flatMap { state.outputs[$0] }.map {
                state.lie(ShmLayout(format: 1, width: $0.mode.width, height: $0.mode.height, stride: $0.mode.width * 4))
            }
            return (layout, state.failsCopies, state.isReadyEarly)
        }
        guard let layout, !fails else { return send(frame, 3) }
        if isReadyEarly { return send(frame, 2, words: [0, 0, 0]) }
        send(frame, 0, words: [layout.format, UInt32(layout.width), UInt32(layout.height), UInt32(layout.stride)])
        send(frame, 5, words: [0x3432_5258, UInt32(layout.width), UInt32(layout.height)])
        send(frame, 6)
    }

    private func copy(_ frame: UInt32, to buffer: UInt32, waits: Bool) {
        let (isDue, fails) = state.withLock { state in
            let isDue = !waits || state.frames[frame].flatMap { state.damage[$0] } != nil
            if !isDue, !state.failsCopies { state.waiting.append((frame, buffer)) }
            return (isDue, state.failsCopies)
        }
        if fails { send(frame, 3) } else if isDue { complete(frame, buffer) }
    }

    /// Writes the output's picture into the client's memory, and tells what has changed.
    private func complete(_ frame: UInt32, _ buffer: UInt32) {
        let damage = state.withLock { state -> PixelRect? in
            guard let global = state.frames[frame], let output = state.outputs[global],
                let (memory, layout) = state.buffers[buffer]
            else { return nil }
            // B, G, R and X in the usual format; others take the bytes as theirs.
            for y in 0..<layout.height {
                let pixels = (0..<layout.width).map { (output.pattern?($0, y) ?? output.colour).littleEndian }
                _ = pixels.withUnsafeBytes { pwrite(memory, $0.baseAddress, $0.count, off_t(y * layout.stride)) }
            }
            state.copies += 1
            return state.damage.removeValue(forKey: global) ?? PixelRect(output.mode)
        }
        guard let damage else { return send(frame, 3) }
        send(frame, 1, words: [0])
        send(frame, 4, words: [damage.x, damage.y, damage.width, damage.height].map { UInt32($0) })
        send(frame, 2, words: [0, 1, 0])
    }

    func answerWaiting() {
        let due = state.withLock { state in
            let due = state.waiting.filter { waiting in state.frames[waiting.frame].flatMap { state.damage[$0] } != nil
            }
            state.waiting.removeAll { waiting in due.contains { $0.frame == waiting.frame } }
            return due
        }
        for (frame, buffer) in due { complete(frame, buffer) }
    }

    func failWaiting() {
        let failed = state.withLock { state in
            let failed = state.waiting.filter { waiting in
                state.failsCopies || state.frames[waiting.frame].flatMap { state.outputs[$0] } == nil
            }
            state.waiting.removeAll { waiting in failed.contains { $0.frame == waiting.frame } }
            return failed
        }
        for (frame, _) in failed { send(frame, 3) }
    }

    private func forget(_ object: UInt32) {
        state.withLock { state in
            // A pool's memory stays for its buffers.
            state.objects[object] = nil
            state.frames[object] = nil
            state.places[object] = nil
            state.bound[object] = nil
            state.waiting.removeAll { $0.frame == object }
        }
        send(WaylandInterface.displayObject, 1, words: [object])
    }
}
