import HelioCore
import HelioWaylandWire

/// Fuzzes the messages of a Wayland compositor: the first byte is the place at which the stream is cut in two, the
/// second the number of file descriptors that come with it, and the object of a message decides its interface.
package enum WaylandFuzz {
    package static func run(_ bytes: [UInt8]) {
        guard bytes.count > 2 else { return }
        let stream = bytes[2...]
        let descriptors = (0..<Int32(bytes[1] % 80)).map { 1000 + $0 }
        let whole = events([stream], descriptors)
        let cut = stream.index(stream.startIndex, offsetBy: Int(bytes[0]) % stream.count)
        let parts = events([stream[..<cut], stream[cut...]], descriptors)
        precondition(whole.events == parts.events && whole.fault == parts.fault, "a cut changes what is read")
    }

    /// Reads a stream that arrives in parts, the descriptors with the first.
    private static func events(
        _ parts: [ArraySlice<UInt8>], _ descriptors: [Int32]
    ) -> (events: [WaylandEvent], fault: WaylandFault?) {
        var input = WaylandInput()
        var events: [WaylandEvent] = []
        var fault: WaylandFault?
        var isRefused = false
        do throws(WaylandFault) {
            for (number, part) in parts.enumerated() {
                do throws(WaylandFault) {
                    try input.receive(part, descriptors: number == 0 ? descriptors : [])
                } catch {
                    isRefused = true
                    throw error
                }
                while let message = try input.next() {
                    precondition(message.body.count % 4 == 0 && message.body.count < 1 << 16, "no size of a message")
                    let kinds = WaylandInterface.allCases
                    let interface = kinds[Int(message.object) % kinds.count]
                    events.append(try WaylandEvent.parse(message, of: interface, &input))
                }
            }
        } catch {
            fault = error
        }
        let taken = events.compactMap { if case .send(_, let descriptor) = $0 { descriptor } else { nil } }
        let left = input.takeDescriptors()
        precondition(isRefused || taken + left == descriptors, "a descriptor is lost, or used twice")
        return (events, fault)
    }
}
