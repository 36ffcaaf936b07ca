import HelioCore
import HelioRTMP

/// A server that answers a number of commands, and then is silent or rejects the next one.
final class ScriptedServer {
    private let answers: Int
    private let error: String?
    private let explanation: String
    /// The bytes that follow its last answer.
    private let raw: [UInt8]
    private var input: [UInt8] = []
    private var reader = RTMPChunkReader(messageLimit: 1 << 20)
    private var (hasGreeted, hasShaken) = (false, false)
    private var answered = 0
    private(set) var controls: [RTMPControl] = []

    init(
        answers: Int, error: String? = nil, explanation: String = "live_123456-secret", raw: [UInt8] = []
    ) {
        self.explanation = explanation
        self.answers = answers
        self.error = error
        self.raw = raw
    }

    static func chunks(_ messages: [RTMPMessage]) -> [UInt8] {
        var writer = RTMPChunkWriter()
        var bytes: [UInt8] = []
        // Each message has its own writer, so a full header: that is valid after any other.
        for message in messages {
            writer = RTMPChunkWriter()
            writer.write(message, on: 2, into: &bytes)
        }
        return bytes
    }

    func answer(_ bytes: [UInt8]) -> [[UInt8]] {
        var output: [UInt8] = []
        if hasShaken {
            reader.append(bytes)
        } else {
            input += bytes
            let end = 1 + 2 * RTMP.handshakeSize
            if input.count >= 1 + RTMP.handshakeSize, !hasGreeted {
                hasGreeted = true
                output = [3] + [UInt8](repeating: 0, count: 2 * RTMP.handshakeSize)
                return [output]
            }
            guard input.count >= end else { return [] }
            hasShaken = true
            if answers == 0, error == nil { return raw.isEmpty ? [] : [raw] }
            reader.append(Array(input[end...]))
        }
        while let message = try? reader.next() {
            if let control = RTMPControl(message) { controls.append(control) }
            guard let command = try? RTMPCommand(message) else { continue }
            guard
                let code = [
                    "connect": "NetConnection.Connect.Success", "createStream": "",
                    "publish": "NetStream.Publish.Start",
                ][command.name]
            else { continue }
            if answered == answers, let error {
                output += Self.chunks([answer(command, "error", error)])
            } else if answered < answers {
                output += Self.chunks([answer(command, "status", code)])
            }
            answered += 1
            if command.name == "publish", answered <= answers { output += raw }
        }
        return output.isEmpty ? [] : [output]
    }

    private func answer(_ command: RTMPCommand, _ level: String, _ code: String) -> RTMPMessage {
        let information = AMF0Value.object([
            .init("level", .string(level)), .init("code", .string(code)),
            .init("description", .string(explanation)),
        ])
        switch command.name {
        case "connect":
            return RTMPCommand(
                level == "error" ? "_error" : "_result", transaction: command.transaction, arguments: [information]
            ).message()
        case "createStream":
            return RTMPCommand("_result", transaction: command.transaction, arguments: [.number(1)]).message()
        default: return RTMPCommand("onStatus", arguments: [information]).message(streamID: 1)
        }
    }
}
