internal import HelioCore
internal import HelioRendezvous

/// Counts of a `RendezvousService` since its start; `connections` and those below it are current numbers.
package struct RendezvousServiceStatistics: Sendable {
    /// The number of WebSockets opened.
    package var opened = 0
    /// The number of answered HTTP requests, including refused ones, without those for WebSockets.
    package var requests = 0
    package var framesReceived = 0
    package var framesSent = 0
    /// The number of drops by reason, of the service's sockets and of its engine.
    package var drops: [String: Int] = [:]
    /// The number of open connections of all types.
    package var connections = 0
    /// The number of open WebSockets.
    package var devices = 0
    /// The number of devices that are registered, and can be rung.
    package var registered = 0
    package var calls = 0
    /// The number of registrations, and of calls whose host was reached, since the start.
    package var registrations = 0
    package var reached = 0
    /// The number of messages and datagrams passed on to a device, and of their bytes.
    package var messages = 0
    package var datagrams = 0
    package var bytes = 0
    /// The bus to other instances; `nil` without one.
    package var bus: BusStatistics?
    /// The number of other instances that are met on the bus.
    package var instances = 0

    package init() {}

    /// Adds the counts of the engine.
    mutating func add(_ engine: RendezvousServer.Statistics) {
        registered += engine.registered
        calls += engine.calls
        registrations += engine.registrations
        reached += engine.reached
        messages += engine.messages
        datagrams += engine.datagrams
        bytes += engine.bytes
        instances += engine.instances
        drops.add(engine.drops)
    }

    /// The counts in Prometheus' text format.
    var metrics: String {
        var text = MetricsText()
        text.add("connections", .gauge, "Open TCP connections.", connections)
        text.add("websockets", .gauge, "Open WebSockets of devices.", devices)
        text.add("websockets_opened_total", .counter, "WebSockets opened.", opened)
        text.add("devices", .gauge, "Registered devices.", registered)
        text.add("calls", .gauge, "Calls, those that are not reached yet among them.", calls)
        text.add("registrations_total", .counter, "Registrations of devices.", registrations)
        text.add("calls_reached_total", .counter, "Calls that have reached their host.", reached)
        text.add("messages_total", .counter, "Messages passed on.", messages)
        text.add("datagrams_total", .counter, "Datagrams passed on.", datagrams)
        text.add("passed_bytes_total", .counter, "Bytes of the messages and datagrams passed on.", bytes)
        text.add("requests_total", .counter, "HTTP requests answered, without those for WebSockets.", requests)
        text.add("frames_received_total", .counter, "Frames of devices.", framesReceived)
        text.add("frames_sent_total", .counter, "Frames to devices.", framesSent)
        if let bus {
            let isConnected = bus.state == .connected ? 1 : 0
            text.add("bus_connected", .gauge, "1 while the bus to other instances is there.", isConnected)
            text.add("instances", .gauge, "Other instances that are met on the bus.", instances)
            text.add("bus_connections_total", .counter, "Connections made to the bus.", bus.connections)
            text.add("bus_sent_total", .counter, "Messages to other instances.", bus.sent)
            text.add("bus_received_total", .counter, "Messages of other instances.", bus.received)
        }
        text.add("drops_total", "What was refused or dropped, by reason.", byReason: drops)
        return text.text
    }
}
