import HelioADBWire
import HelioAndroid
import HelioCore
import HelioPhoneWire

/// adb's server with one phone and Heliograph's server on it, in virtual time: answers the engine's output at once.
struct FakePhone {
    /// Lines of the list of devices.
    var list = "PHONE\tdevice\n"
    var isServerThere = true
    var startServerFails: AndroidTrouble?
    var version = "0029"
    var sdk = "34"
    /// The size of the file that is on the phone already; 0 if there is none.
    var fileSize = 0
    var pushFails = false
    /// The server's output at its start, instead of readiness.
    var startFails: String?
    var encoders = [
        PhoneEncoder(
            codec: .h264, isHardware: true, alignment: PixelSize(width: 2, height: 2),
            largest: PixelSize(width: 4096, height: 4096), bitrate: 50_000_000, name: "hard"),
        PhoneEncoder(
            codec: .h264, isHardware: false, alignment: PixelSize(width: 2, height: 2),
            largest: PixelSize(width: 1920, height: 1920), bitrate: 50_000_000, name: "soft"),
    ]
    var display = PhoneDisplay(size: PixelSize(width: 1080, height: 2400))
    /// Encodings to refuse, by their number in order from 1.
    var refuses: (PhoneEncode) -> PhoneEncodeStage? = { _ in nil }
    /// False for a screen on which nothing moves: no keyframe comes by a request alone.
    var moves = true
    var answersPings = true

    /// The orders that have come.
    var orders: [PhoneOrder] = []
    var pushed: [UInt8] = []
    var commands: [String] = []
    var token: [UInt8] = []
    var encode: PhoneEncode?
    var time: Int64 = 0

    private var streams: [ADBStreamID: Stream] = [:]

    private struct Stream {
        var buffer: [UInt8] = []
        var service = ""
        var channel: PhoneChannel?
        var reader = PhoneReader<PhoneOrder>(after: nil)
    }

    /// The stream of a channel; `nil` while it is not open.
    func stream(_ channel: PhoneChannel) -> ADBStreamID? { streams.first { $0.value.channel == channel }?.key }
    var tracker: ADBStreamID? { streams.first { $0.value.service == "host:track-devices" }?.key }
    var server: ADBStreamID? { streams.first { $0.value.service.contains("app_process") }?.key }

    /// The phone's answers to an output of the engine.
    mutating func take(_ output: AndroidPhone.Output) -> [AndroidPhone.Input] {
        switch output {
        case .connect(let id):
            guard isServerThere else { return [.closed(id, wasOpen: false)] }
            streams[id] = Stream()
            return [.connected(id)]
        case .startServer:
            if startServerFails == nil { isServerThere = true }
            return [.serverStarted(startServerFails)]
        case .close(let id):
            streams[id] = nil
            return []
        case .send(let id, let bytes):
            streams[id]?.buffer += bytes
            return serve(id)
        case .event: return []
        }
    }

    private mutating func serve(_ id: ADBStreamID) -> [AndroidPhone.Input] {
        guard let stream = streams[id] else { return [] }
        if stream.channel != nil { return obey(id) }
        if stream.service.hasPrefix("localabstract:") { return greet(id) }
        if stream.service.contains("app_process") {
            token = Hexadecimal.bytes(String(decoding: stream.buffer, as: UTF8.self).filter { $0 > " " }) ?? []
            if let startFails { return [.received(id, Array(startFails.utf8)), remove(id)] }
            return [.received(id, Array("heliograph ready 1\n".utf8))]
        }
        if stream.service == "sync:" { return sync(id) }
        guard stream.buffer.count > 4, let length = ADBHexadecimal.number(in: stream.buffer.span.bytes, at: 0),
            stream.buffer.count >= 4 + length
        else { return [] }
        streams[id]?.buffer.removeFirst(4 + length)
        let text = String(decoding: stream.buffer[4..<4 + length], as: UTF8.self)
        return accept(text, id)
    }

    private mutating func accept(_ text: String, _ id: ADBStreamID) -> [AndroidPhone.Input] {
        func okay(_ rest: String = "") -> AndroidPhone.Input { .received(id, Array("OKAY\(rest)".utf8)) }
        if text.hasPrefix("host:transport:") { return [okay()] }
        streams[id]?.service = text
        switch text {
        case "host:version": return [okay("0004\(version)")]
        case "host:track-devices": return [okay(block(list))]
        case "exec:getprop ro.build.version.sdk": return [okay("\(sdk)\n"), remove(id)]
        default:
            commands.append(text)
            return [okay()]
        }
    }

    private mutating func remove(_ id: ADBStreamID) -> AndroidPhone.Input {
        streams[id] = nil
        return .closed(id, wasOpen: true)
    }

    private func block(_ text: String) -> String {
        String(decoding: ADBHexadecimal.digits(of: text.utf8.count), as: UTF8.self) + text
    }

    /// The list has changed.
    mutating func change(list: String) -> [AndroidPhone.Input] {
        self.list = list
        return tracker.map { [.received($0, Array(block(list).utf8))] } ?? []
    }

    private mutating func sync(_ id: ADBStreamID) -> [AndroidPhone.Input] {
        let bytes = streams[id]?.buffer ?? []
        streams[id]?.buffer = []
        switch String(decoding: bytes.prefix(4), as: UTF8.self) {
        case "STAT":
            var answer = Array("STAT".utf8) + [0, 0, 0, 0]
            answer.append(littleEndian: UInt32(fileSize))
            return [.received(id, answer + [0, 0, 0, 0])]
        case "SEND":
            pushed = bytes
            if pushFails { return [.received(id, Array("FAIL".utf8) + [4, 0, 0, 0] + Array("full".utf8))] }
            return [.received(id, Array("OKAY".utf8) + [0, 0, 0, 0])]
        default: return []
        }
    }

    private mutating func greet(_ id: ADBStreamID) -> [AndroidPhone.Input] {
        guard let bytes = streams[id]?.buffer, bytes.count == 6 + PhoneWire.tokenSize,
            Array(bytes[6...]) == token, let channel = PhoneChannel(rawValue: bytes[5])
        else { return [] }
        streams[id]?.buffer = []
        streams[id]?.channel = channel
        var inputs: [AndroidPhone.Input] = [.received(id, PhoneWire.answer(channel))]
        if channel == .control {
            inputs += [
                report(.device(PhoneDevice(sdk: UInt16(sdk) ?? 0, model: "Fake", encoders: encoders))),
                report(.display(display)),
            ].compactMap(\.self)
        }
        return inputs
    }

    func report(_ report: PhoneReport) -> AndroidPhone.Input? {
        let channel: PhoneChannel =
            switch report {
            case .picture, .configuration: .video
            case .sound: .sound
            default: .control
            }
        return stream(channel).map { .received($0, report.serialised) }
    }

    func picture(isKeyframe: Bool, of number: UInt8? = nil) -> AndroidPhone.Input? {
        guard let encode = number ?? encode?.encode else { return nil }
        let bytes: [UInt8] = [0, 0, 0, 1, isKeyframe ? 0x65 : 0x41, 1]
        return report(
            .picture(PhonePicture(encode: encode, isKeyframe: isKeyframe, microseconds: time, annexB: bytes)))
    }

    private mutating func obey(_ id: ADBStreamID) -> [AndroidPhone.Input] {
        let bytes = streams[id]?.buffer ?? []
        streams[id]?.buffer = []
        streams[id]?.reader.append(bytes)
        var inputs: [AndroidPhone.Input?] = []
        while let order = try? streams[id]?.reader.next() {
            orders.append(order)
            switch order {
            case .encode(let encode):
                if let stage = refuses(encode) {
                    inputs.append(report(.encodingFailed(encode: encode.encode, stage, "no")))
                    break
                }
                self.encode = encode
                inputs.append(report(.encoding(encode: encode.encode, size: encode.size, codec: encode.codec)))
                inputs.append(report(.configuration(encode: encode.encode, [0, 0, 0, 1, 0x67, 1])))
                inputs.append(picture(isKeyframe: true))
            case .parameters(_, let settings) where settings.contains { $0.name == "request-sync" } && moves:
                inputs.append(picture(isKeyframe: true))
            case .ping(let number): if answersPings { inputs.append(report(.pong(number))) }
            default: break
            }
        }
        return inputs.compactMap(\.self)
    }
}
