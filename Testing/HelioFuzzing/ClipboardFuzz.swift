import HelioCore
import HelioTransfer
import HelioTransferWire

/// Fuzzes one end of a clipboard exchange with a peer that sends arbitrary bytes, while users copy and paste.
///
/// A step has a byte that selects the action, and a byte with an amount or with the length of the message that follows.
package enum ClipboardFuzz {
    /// Runs the exchange with any bytes. Traps if it exceeds its memory limit, if a paste is answered twice or never,
    /// if more is read or sent than was requested, or if memory is never released.
    package static func run(_ bytes: [UInt8]) {
        var world = World()
        var steps = FuzzSteps(bytes)
        while let (what, argument) = steps.next() {
            switch what % 16 {
            case 0: world.copy(argument)
            case 1: world.paste(argument)
            case 2: world.abandon(argument)
            case 3: world.answerReads(argument)
            case 4: world.pass(.milliseconds(argument * 100))
            case 5: world.handle(.room(argument * 300))
            case 6: world.setTerms(argument)
            case 7: world.handle(.received(World.peerTerms))
            default: world.handle(.received(steps.takeBytes(argument)))
            }
        }
        world.finish()
    }

    private struct World: ~Copyable {
        static let limit = 3000
        static let peerTerms = TransferMessage.terms(
            ClipboardTerms(maySend: true, mayReceive: true, mostBytes: 2000)
        ).serialised()

        private var exchange: ClipboardExchange
        private var now = Instant.zero
        private var serial: UInt64 = 0
        private var pasteCount: UInt64 = 0
        private var pastes: Set<PasteID> = []
        private var reads: [(id: ClipboardReadID, format: ClipboardFormat)] = []
        private var isOffered = false
        private var room = 0

        init() {
            var settings = ClipboardSettings()
            settings.bufferedBytes = 5000
            settings.window = 2048
            settings.answers = 8
            exchange = ClipboardExchange(
                terms: ClipboardTerms(maySend: true, mayReceive: true, mostBytes: UInt32(Self.limit)),
                settings: settings, now: .zero)
            handle(.received(Self.peerTerms))
            handle(.room(1000))
        }

        mutating func handle(_ input: ClipboardExchange.Input) {
            if case .room(let bytes) = input { room = min(max(0, bytes), 2048) }
            exchange.handle(input, now: now)
            drain()
        }

        mutating func copy(_ argument: Int) {
            serial += 1
            isOffered = false
            let entries = ClipboardFormat.allCases.filter { argument & Int($0.rawValue) != 0 }
                .map { ClipboardEntry($0, size: argument & 8 == 0 ? nil : argument * 20) }
            handle(.clipboard(.changed(ClipboardSerial(serial), entries)))
        }

        mutating func paste(_ argument: Int) {
            guard let format = ClipboardFormat(rawValue: UInt8(argument % 4)) else { return }
            pasteCount += 1
            let id = PasteID(pasteCount)
            pastes.insert(id)
            handle(.clipboard(.wanted(id, format)))
        }

        /// Cancels a paste, which must then not be answered.
        mutating func abandon(_ argument: Int) {
            guard let id = pastes.min(by: { $0.rawValue < $1.rawValue }) else { return }
            pastes.remove(id)
            handle(.clipboard(.unwanted(id)))
        }

        mutating func answerReads(_ argument: Int) {
            guard !reads.isEmpty else { return }
            let read = reads.removeFirst()
            if argument % 8 == 7 { return handle(.clipboard(.content(read.id, .failure(.gone)))) }
            var content = [UInt8](repeating: UInt8(argument), count: argument * 10)
            if read.format == .png {
                content = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
                content += [0, 0, 0, 1, 0, 0, 0, UInt8(argument)]
            }
            handle(.clipboard(.content(read.id, .success(content))))
        }

        mutating func setTerms(_ argument: Int) {
            handle(
                .terms(
                    ClipboardTerms(
                        maySend: argument & 1 == 0, mayReceive: argument & 2 == 0, mostBytes: UInt32(Self.limit))))
        }

        mutating func pass(_ time: Duration) {
            let end = now + time
            var count = 0
            while let due = exchange.deadline, due.at <= end {
                count += 1
                precondition(count < 1000, "time does not go on")
                now = max(now, due.at)
                exchange.tick(now: now)
                drain()
            }
            now = end
        }

        mutating func finish() {
            pass(.seconds(700))
            precondition(exchange.deadline == nil && exchange.bufferedBytes == 0, "something is kept for ever")
            precondition(pastes.isEmpty, "a paste is never answered")
        }

        private mutating func drain() {
            while let output = exchange.poll() {
                switch output {
                case .send(let bytes):
                    precondition(bytes.count <= room, "more is sent than the channel takes")
                    room -= bytes.count
                    precondition((try? TransferMessage(parsing: bytes.span.bytes)) != nil, "what is sent is no message")
                case .clipboard(.offer(let entries)):
                    precondition(exchange.takes && !entries.isEmpty, "an offer of nothing, or that nobody takes")
                    isOffered = true
                case .clipboard(.withdraw):
                    precondition(isOffered, "what is not there is taken back")
                    isOffered = false
                case .clipboard(.read(let format, let read, let limit, let id)):
                    precondition(exchange.gives && read.rawValue == serial, "a read of what nobody may have")
                    precondition(limit <= Self.limit)
                    reads.append((id, format))
                case .clipboard(.provide(let paste, let content)):
                    precondition(pastes.remove(paste) != nil, "a paste that is not waited for is answered")
                    if case .success(let bytes) = content { precondition(bytes.count <= Self.limit, "too large") }
                }
            }
            // The limit applies to each direction.
            precondition(exchange.bufferedBytes <= 2 * 5000, "more is kept than may be")
        }
    }
}
