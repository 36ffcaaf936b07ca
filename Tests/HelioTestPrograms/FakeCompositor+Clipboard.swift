import Foundation
import HelioWaylandWire
import Synchronization

// The clipboard of the fake: the test copies and pastes as programs of the session do.
extension FakeCompositor {
    /// Copies content by its types; a type with empty content is never answered.
    package func copy(_ contents: [String: [UInt8]]) {
        guard let device = state.withLock({ $0.device }) else { return }
        let source = state.withLock { $0.selected.take() }
        if let source { send(source, 1) }
        let offer = announce(contents, to: device)
        send(device, 1, words: [offer])
    }

    /// Empties the clipboard, as when a program that has copied ends.
    package func clear() {
        if let device = state.withLock({ $0.device }) { send(device, 1, words: [0]) }
    }

    /// True once the client listens to the clipboard.
    package var hasDevice: Bool { state.withLock { $0.device != nil } }

    /// The types that the client offers.
    package var offered: [String] { state.withLock { state in state.selected.flatMap { state.sources[$0] } ?? [] } }

    /// Pastes what the client offers; returns the end of a pipe to read from, which the caller closes.
    package func paste(_ type: String) -> Int32? {
        guard let source = state.withLock({ $0.selected }) else { return nil }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        send(source, 0, [.text(type)], descriptors: [ends[1]])
        close(ends[1])
        return ends[0]
    }

    private func announce(_ contents: [String: [UInt8]], to device: UInt32) -> UInt32 {
        let offer = state.withLock { state in
            let offer = WaylandInterface.firstServerObject + UInt32(state.offers.count)
            state.offers[offer] = contents
            state.objects[offer] = .dataControlOffer
            return offer
        }
        send(device, 0, words: [offer])
        for type in contents.keys.sorted() { send(offer, 0, [.text(type)]) }
        return offer
    }

    func answerClipboard(
        _ message: WaylandInput.Message, _ interface: WaylandInterface?, _ input: inout WaylandInput
    ) throws(WaylandFault) {
        var reader = WaylandReader(message.body)
        switch (interface, message.opcode) {
        case (.dataControlManager, 0):
            let source = try reader.uint()
            state.withLock { state in
                state.objects[source] = .dataControlSource
                state.sources[source] = []
            }
        case (.dataControlManager, 1):
            let device = try reader.uint()
            state.withLock { state in
                state.objects[device] = .dataControlDevice
                state.device = device
            }
        case (.dataControlSource, 0):
            let type = try reader.string()
            state.withLock { $0.sources[message.object]?.append(type) }
        case (.dataControlDevice, 0): select(try reader.object(), message.object)
        case (.dataControlOffer, 0):
            let type = try reader.string()
            guard let descriptor = input.takeDescriptor() else { return }
            let content = state.withLock { $0.offers[message.object]?[type] } ?? []
            if content.isEmpty { return state.withLock { $0.pipes.append(descriptor) } }
            // A thread of its own, as a program that copies has.
            Thread.detachNewThread {
                FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(Data(content))
            }
        default: break
        }
    }

    /// Selects the client's source, cancels the one before, and announces it as any other.
    private func select(_ source: UInt32?, _ device: UInt32) {
        let (before, types) = state.withLock { state in
            let before = state.selected
            state.selected = source
            return (before, source.flatMap { state.sources[$0] })
        }
        if let before { send(before, 1) }
        guard let types else { return send(device, 1, words: [0]) }
        let offer = announce(Dictionary(uniqueKeysWithValues: types.map { ($0, []) }), to: device)
        send(device, 1, words: [offer])
    }
}
