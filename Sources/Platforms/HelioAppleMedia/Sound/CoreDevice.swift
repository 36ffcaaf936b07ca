package import HelioCore

/// A sound device of macOS, with its Core Audio properties, unchecked.
package struct CoreDevice: Sendable, Hashable {
    /// The output or the input side of a device.
    package struct Side: Sendable, Hashable {
        package var isDefault: Bool
        /// The number of streams; 0 if the device does not have this side.
        package var streams: Int
        /// The latency of the device, its safety offset, and the latency of its first stream, in sample frames.
        package var latency: UInt32
        package var safetyOffset: UInt32
        package var streamLatency: UInt32
        /// The size of the device's buffer, in sample frames.
        package var bufferFrames: UInt32

        package init(
            isDefault: Bool, streams: Int, latency: UInt32, safetyOffset: UInt32, streamLatency: UInt32,
            bufferFrames: UInt32
        ) {
            self.isDefault = isDefault
            self.streams = streams
            self.latency = latency
            self.safetyOffset = safetyOffset
            self.streamLatency = streamLatency
            self.bufferFrames = bufferFrames
        }
    }

    /// The persistent ID, which stays the same when the device is plugged in again.
    package var uid: String
    package var name: String
    package var rate: Double
    package var output: Side
    package var input: Side

    package init(uid: String, name: String, rate: Double, output: Side, input: Side) {
        self.uid = uid
        self.name = name
        self.rate = rate
        self.output = output
        self.input = input
    }
}

/// The sound devices of macOS, chosen by ID or by name.
package struct CoreDevices: Sendable {
    private let all: [CoreDevice]

    package init(_ all: [CoreDevice]) { self.all = all }

    package var outputs: [SoundDevice] { list(\.output) }
    package var microphones: [SoundDevice] { list(\.input) }

    /// Returns the route to an output device; `nil` or an empty ID means the default device.
    ///
    /// Throws `invalidArgument` if the ID is unknown, and `unsupported` if there is no output device.
    package func route(to id: String?) throws(HelioError) -> SoundRoute {
        let device = try find(id, \.output, "output")
        let side = device.output
        let rate = device.rate.isFinite && device.rate >= 1 ? device.rate : 48000
        func time(_ frames: [UInt32]) -> Duration {
            let seconds = frames.reduce(0) { $0 + Double($1) } / rate
            return .nanoseconds(Int64(min(1, seconds) * 1e9))
        }
        return SoundRoute(
            name: device.name, format: DeviceSampleFormat(sampleRate: Int(min(rate, 1e6)), channels: 2),
            latency: time([side.latency, side.safetyOffset, side.streamLatency]), cycle: time([side.bufferFrames]))
    }

    /// Returns the microphone with this ID or name; `nil` or an empty ID means the default one. Throws
    /// `invalidArgument` if the ID is unknown, and `unsupported` if there is no microphone.
    package func microphone(_ id: String?) throws(HelioError) -> CoreDevice {
        try find(id, \.input, "microphone")
    }

    /// Returns the output device with this ID or name, to be set for a queue. Returns `nil` if `id` is `nil` or empty,
    /// as the queue then follows the default device.
    package func output(_ id: String?) throws(HelioError) -> CoreDevice? {
        (id ?? "").isEmpty ? nil : try find(id, \.output, "output")
    }

    private func list(_ side: KeyPath<CoreDevice, CoreDevice.Side>) -> [SoundDevice] {
        all.filter { $0[keyPath: side].streams > 0 }
            .map { SoundDevice(id: $0.uid, name: $0.name, isDefault: $0[keyPath: side].isDefault) }
    }

    private func find(
        _ id: String?, _ side: KeyPath<CoreDevice, CoreDevice.Side>, _ kind: String
    ) throws(HelioError) -> CoreDevice {
        let choices = all.filter { $0[keyPath: side].streams > 0 }
        guard let id, !id.isEmpty else {
            if let found = choices.first(where: { $0[keyPath: side].isDefault }) ?? choices.first { return found }
            throw HelioError(.unsupported, "This Mac has no \(kind).")
        }
        if let found = choices.first(where: { $0.uid == id }) ?? choices.first(where: { $0.name == id }) {
            return found
        }
        let names = choices.map(\.name).joined(separator: ", ")
        throw HelioError(.invalidArgument, "There is no \(kind) '\(id)' here; there are: \(names).")
    }
}
