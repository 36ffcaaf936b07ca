package import HelioCore
internal import HelioWaylandWire

/// The outputs of a compositor, kept up to date by its events.
package struct WaylandOutputs {
    /// The most outputs that are followed.
    private static let most = 32
    /// The longest output name that is kept, in bytes.
    private static let longestName = 200
    /// The longest side of an output in pixels or logical units; none is nearly as long.
    private static let longestSide = 1 << 20

    package private(set) var all: [WaylandOutput] = []
    /// The outputs that are described completely and have a picture.
    package var usable: [WaylandOutput] { all.filter { $0.isComplete && $0.mode.width > 0 && $0.mode.height > 0 } }
    /// The manager of the outputs' places; `nil` if the compositor has none.
    private let places: (id: UInt32, version: UInt32)?
    /// True if an output was added, removed or changed since `takeNews`.
    private var isNews = true

    /// Binds all outputs, and waits until they are described.
    package init(_ connection: WaylandConnection) throws(HelioError) {
        places = try connection.bind(.xdgOutputManager)
        for global in connection.globals { try add(global, connection) }
        try connection.roundTrip { notice throws(HelioError) in try take(notice, connection) }
    }

    /// Returns whether the outputs have changed since the last call.
    package mutating func takeNews() -> Bool {
        defer { isNews = false }
        return isNews
    }

    /// The usable outputs as monitors; the first is called the primary one, as Wayland has none.
    package var monitors: [ScreenMonitor] {
        usable.enumerated().map { $1.monitor(isPrimary: $0 == 0) }
    }

    package func output(_ id: String) -> WaylandOutput? { usable.first { $0.id == id } }

    /// Handles an event if it is about an output.
    package mutating func take(
        _ notice: WaylandConnection.Notice, _ connection: WaylandConnection
    ) throws(HelioError) {
        switch notice.event {
        case .global(let name, let interface, let version):
            try add(WaylandGlobal(name: name, interface: interface, version: version), connection)
        case .globalRemoved(let name):
            guard let index = all.firstIndex(where: { $0.global == name }) else { return }
            if let place = all[index].placeObject { connection.destroy(place) }
            connection.destroy(all[index].object)
            all.remove(at: index)
            isNews = true
        default:
            let object = notice.object
            guard let index = all.firstIndex(where: { $0.object == object || $0.placeObject == object }) else { return }
            let before = all[index]
            change(&all[index], notice.event)
            if all[index] != before { isNews = true }
        }
    }

    private func change(_ output: inout WaylandOutput, _ event: WaylandEvent) {
        switch event {
        case .geometry(let x, let y, let transform):
            if output.placeObject == nil { output.position = (x, y) }
            output.transform = OutputTransform(rawValue: transform) ?? .normal
        case .mode(true, let size): output.mode = Self.bounded(size)
        case .scale(let scale): output.integerScale = scale
        case .name(let name) where output.name.isEmpty: output.name = String(name.prefix(Self.longestName))
        case .logicalPosition(let x, let y): output.position = (x, y)
        case .logicalSize(let size): output.logicalSize = size.width > 0 && size.height > 0 ? Self.bounded(size) : nil
        case .outputDone: output.isComplete = true
        default: break
        }
    }

    /// Returns a size with which the places of pixels can be computed without overflow.
    private static func bounded(_ size: PixelSize) -> PixelSize {
        PixelSize(width: min(size.width, longestSide), height: min(size.height, longestSide))
    }

    private mutating func add(_ global: WaylandGlobal, _ connection: WaylandConnection) throws(HelioError) {
        guard global.interface == WaylandInterface.output.rawValue, all.count < Self.most,
            !all.contains(where: { $0.global == global.name })
        else { return }
        var output = WaylandOutput(global: global.name, object: try connection.bind(global, as: .output).id)
        if let places {
            let place = try connection.make(.xdgOutput, version: places.version)
            connection.send(.getXDGOutput(place, output: output.object), to: places.id)
            output.placeObject = place
        }
        all.append(output)
        isNews = true
    }
}
