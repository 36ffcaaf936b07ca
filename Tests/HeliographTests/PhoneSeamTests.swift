import HelioAndroid
import HelioCore
import HelioSharing
import Synchronization
import Testing

@testable import Heliograph

@Suite("A phone's clipboard, input and sizes between its engine and a source")
struct PhoneSeamTests {
    /// Collects values from any thread.
    private final class Collected<Value: Sendable>: Sendable {
        private let list = Mutex<[Value]>([])
        var all: [Value] { list.withLock { $0 } }
        func put(_ value: Value) { list.withLock { $0.append(value) } }
    }

    @Test("text that was copied on the phone is announced, and read once it is pasted") func copied() {
        let events = Collected<ClipboardEvent>()
        let clipboard = PhoneClipboard(serial: "P", submit: { _ in }, handler: { events.put($0) })
        clipboard.copied("first")
        clipboard.copied("second")
        guard case .changed(let serial, let entries)? = events.all.last else { return #expect(Bool(false)) }
        #expect(entries == [ClipboardEntry(.text, size: 6)])
        clipboard.read(.text, of: serial, limit: 100, as: ClipboardReadID(1))
        clipboard.read(.text, of: serial, limit: 5, as: ClipboardReadID(2))
        clipboard.read(.text, of: ClipboardSerial(1), limit: 100, as: ClipboardReadID(3))
        let results = events.all.compactMap { event -> Result<[UInt8], ClipboardFailure>? in
            if case .content(_, let result) = event { result } else { nil }
        }
        #expect(results == [.success(Array("second".utf8)), .failure(.tooLarge), .failure(.gone)])
        clipboard.stop()
        clipboard.copied("third")
        #expect(events.all.count == 5)
    }

    @Test("text that a viewer copied is fetched at once, and only the newest reaches the phone") func offered() {
        let (events, inputs) = (Collected<ClipboardEvent>(), Collected<String>())
        let clipboard = PhoneClipboard(
            serial: "P", submit: { if case .clipboard(let text) = $0 { inputs.put(text) } },
            handler: { events.put($0) })
        clipboard.offer([ClipboardEntry(.png)])
        clipboard.offer([ClipboardEntry(.text)])
        clipboard.offer([ClipboardEntry(.text)])
        let pastes = events.all.compactMap { event -> PasteID? in
            if case .wanted(let paste, .text) = event { paste } else { nil }
        }
        #expect(pastes.count == 2)
        clipboard.provide(pastes[0], .success(Array("old".utf8)))
        clipboard.provide(pastes[1], .success(Array("new".utf8)))
        clipboard.provide(pastes[1], .success([0xFF]))
        clipboard.provide(pastes[1], .failure(.gone))
        #expect(inputs.all == ["new"])
        #expect(clipboard.statistics.drops == ["phone-paste-failed": 3])
    }

    @Test("a viewer's limit goes to the phone, which has its own size back without one") func sizes() {
        let inputs = Collected<PixelSize?>()
        let plugin = PhonePlugin()
        plugin.begin { if case .largest(let size) = $0 { inputs.put(size) } }
        let whole = PixelSize(width: 1080, height: 2400)
        #expect(plugin.liked(coding: whole) == whole)
        plugin.attributesChanged(MediaAttributes(format: .avc, width: 540, height: 1200))
        // While it is limited, the phone's own size is known, also after a turn.
        #expect(plugin.liked(coding: PixelSize(width: 540, height: 1200)) == whole)
        #expect(plugin.liked(coding: PixelSize(width: 1200, height: 540)) == PixelSize(width: 2400, height: 1080))
        plugin.attributesChanged(MediaAttributes(format: .avc, width: 2400, height: 1080))
        #expect(inputs.all == [PixelSize(width: 540, height: 1200), nil])
    }

    @Test("viewers' input as the phone's") func input() {
        #expect(
            AndroidInput(.touch(.down, x: 0.5, y: 0.25, pressure: 1))
                == .touch(finger: 0, .down, x: 0.5, y: 0.25, pressure: 1))
        #expect(AndroidInput(.scrolled(dx: 1, dy: -120)) == .scroll(dx: 1, dy: -120))
        #expect(AndroidInput(.key(usage: 4, isDown: true)) == .key(usage: 4, isDown: true))
        #expect(AndroidInput(.requestControl) == nil)
        #expect(AndroidInput(.pointerMovedBy(dx: 1, dy: 1)) == nil)
    }

    @Test("without its server's file the error says how to make it") func noServer() async {
        var options = AndroidOptions()
        options.serverFile = "/nonexistent/heliograph-android.jar"
        await #expect(throws: HelioError.self) {
            _ = try await AndroidScreen.start(MirrorSource.Options(), phone: options)
        }
    }
}
