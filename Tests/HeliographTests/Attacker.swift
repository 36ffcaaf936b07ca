import Foundation

/// A client that sends to a port of this machine what no regular viewer does.
struct Attacker: Sendable {
    /// The outcome for the attacker.
    enum Outcome: Equatable {
        /// The other end has closed the connection.
        case putOut
        /// The connection was still open after the time-out.
        case stillThere
    }

    let port: Int
    /// The attacker's source address on this machine, if not the usual one.
    var origin: String?
    /// The time-out of the connection.
    var patience: Duration = .seconds(30)

    /// Sends all of `bytes` over TCP, `pace` bytes at a time with a wait for an answer in between, repeatedly if
    /// `endless`; then waits for the other end to close.
    func speak(_ bytes: [UInt8], pace: Int = .max, endless: Bool = false) async -> Outcome {
        await withCheckedContinuation { done in
            Thread.detachNewThread {
                done.resume(returning: speakNow(bytes, pace: pace, endless: endless))
            }
        }
    }

    private func speakNow(_ bytes: [UInt8], pace: Int, endless: Bool) -> Outcome {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        if let origin, !bind(descriptor, to: origin) { return .stillThere }
        var address = sockaddr_in(LoopbackAddress(port))
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { return .putOut }
        let begun = ContinuousClock.now
        let quietly = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        var position = 0
        while ContinuousClock.now - begun < patience {
            if position < bytes.count {
                let end = min(bytes.count, pace == .max ? bytes.count : position + pace)
                let piece = Array(bytes[position..<end])
                let count = send(
                    descriptor, piece, piece.count, quietly)
                if count < 0, errno != EAGAIN { return .putOut }
                position += max(0, count)
                if position == bytes.count, endless { position = 0 }
            }
            // Waits for an answer, for room to send, or for a moment.
            let isDone = position == bytes.count
            var state = pollfd(
                fd: descriptor, events: Int16(POLLIN) | (isDone || pace != .max ? 0 : Int16(POLLOUT)), revents: 0)
            poll(&state, 1, pace == .max ? 1000 : 100)
            if state.revents & Int16(POLLIN) != 0 {
                var buffer = [UInt8](repeating: 0, count: 65536)
                if recv(descriptor, &buffer, buffer.count, 0) <= 0 { return .putOut }
            }
            if state.revents & Int16(POLLERR | POLLHUP) != 0 { return .putOut }
        }
        return .stillThere
    }

    private func bind(_ descriptor: Int32, to origin: String) -> Bool {
        var own = sockaddr_in(LoopbackAddress(0))
        own.sin_addr.s_addr = inet_addr(origin)
        return withUnsafePointer(to: &own) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// Sends `text` within TLS, repeatedly if `endless`, and reads only afterwards, or not at all unless `reads`.
    ///
    /// - Returns: the other end's bytes until it closed the connection, or `nil` if it did not.
    func speakTLS(_ text: String, endless: Bool = false, reads: Bool = true) async -> String? {
        await withCheckedContinuation { done in
            Thread.detachNewThread { done.resume(returning: speakTLSNow(text, endless: endless, reads: reads)) }
        }
    }

    private func speakTLSNow(_ text: String, endless: Bool, reads: Bool) -> String? {
        let (input, output) = (Pipe(), Pipe())
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = ["s_client", "-quiet", "-connect", "127.0.0.1:\(port)"]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        try? output.fileHandleForWriting.close()
        try? input.fileHandleForReading.close()
        let limit = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + patience / .seconds(1), execute: limit)
        Thread.detachNewThread {
            signal(SIGPIPE, SIG_IGN)
            repeat {
                guard (try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))) != nil else { break }
            } while endless
        }
        // A full pipe keeps the program from reading its connection.
        let answer = reads ? output.fileHandleForReading.readDataToEndOfFile() : Data()
        process.waitUntilExit()
        limit.cancel()
        return process.terminationReason == .uncaughtSignal ? nil : String(decoding: answer, as: UTF8.self)
    }
}
