import CPipeWire
import Glibc
package import HelioCore
import HelioGround
import Synchronization

/// A stream of a compositor's pictures by PipeWire.
///
/// PipeWire's thread copies what has changed of the newest picture; readers take it from the copy. Pictures that nobody
/// reads are not queued: they become one. If nobody reads for a while, the compositor makes no more.
package final class PictureStream: Sendable {
    /// The changes since the last `takeNews`.
    package struct News: Sendable {
        package var changed = Region()
        /// The time at which the first of the changes came.
        package var since = Instant.zero
        /// The time at which the newest picture came.
        package var newest = Instant.zero
        /// The size of the newest picture, zero before the first.
        package var size = PixelSize(width: 0, height: 0)
        /// True if the picture has got another size.
        package var isResized = false
        /// The reason for which there will be no more pictures; `nil` while there may be.
        package var end: String?
    }

    /// The named counts of what was dropped.
    package enum Drop: String, Sendable, CaseIterable {
        /// A picture in memory that can't be read, or that lies about its size.
        case refused = "pipewire-picture-refused"
        /// A picture that came when the one before it was not read yet: the two became one.
        case merged = "pipewire-picture-merged"
        /// A picture that came when nobody had read for a while, so that the compositor was told to make no more.
        case unwanted = "pipewire-picture-unwanted"
    }

    /// The state that PipeWire's thread shares with the readers; released when the stream is closed.
    final class Shared: @unchecked Sendable {
        /// Guards all below: `Mutex` can't hold memory that is not copyable beside what is read with it.
        private let lock = Mutex(())
        private var memory = FrameMemory()
        private var news = News()
        private var cursor = StreamCursor()
        private var drops: [Drop: Int] = [:]
        /// The time since which there are changes that nobody has taken; `nil` if there are none.
        private var unreadSince: Instant?
        /// True if the compositor was told to make no more pictures.
        private var isPaused = false
        private let signal: @Sendable () -> Void

        /// The time after which unread changes mean that nobody looks.
        private static let patience = Duration.seconds(1)

        init(_ signal: @escaping @Sendable () -> Void) { self.signal = signal }

        // MARK: PipeWire's thread

        /// Takes over a picture; returns false if nobody reads them.
        func take(_ picture: helio_pw_picture) -> Bool {
            let now = MonotonicClock.now
            let (isNews, goesOn) = lock.withLock { _ in copy(picture, now) }
            if isNews { signal() }
            return goesOn
        }

        private func copy(_ picture: helio_pw_picture, _ now: Instant) -> (isNews: Bool, goesOn: Bool) {
            let size = PixelSize(width: Int(picture.width), height: Int(picture.height))
            if let unreadSince {
                if now - unreadSince > Self.patience {
                    drops[.unwanted, default: 0] += 1
                    isPaused = true
                    return (false, false)
                }
                drops[.merged, default: 0] += 1
            }
            let changed = memory.update(
                from: picture.pixels, stride: Int(picture.stride), size: size, isRGB: picture.is_rgb != 0,
                damage: Self.rects(picture))
            news.newest = now
            news.size = size
            if let changed {
                if changed.isEmpty { return (false, true) }
                if news.changed.isEmpty { news.since = now }
                news.changed.add(changed)
            } else {
                news.isResized = true
                news.since = now
                news.changed = Region(PixelRect(size.even))
            }
            if unreadSince == nil { unreadSince = now }
            return (true, true)
        }

        private static func rects(_ picture: helio_pw_picture) -> [PixelRect]? {
            guard picture.rect_count >= 0 else { return nil }
            return withUnsafeBytes(of: picture.rects) { bytes in
                let numbers = bytes.bindMemory(to: Int32.self)
                return (0..<min(Int(picture.rect_count), Int(HELIO_PW_RECTS))).map { index in
                    PixelRect(
                        x: Int(numbers[index * 4]), y: Int(numbers[index * 4 + 1]), width: Int(numbers[index * 4 + 2]),
                        height: Int(numbers[index * 4 + 3]))
                }
            }
        }

        /// Takes over the pointer, for which nobody is woken: it is asked for as often as it is sent.
        func take(_ cursor: helio_pw_cursor) { lock.withLock { _ in self.cursor.take(cursor) } }

        func end(_ reason: String) {
            lock.withLock { _ in news.end = reason }
            signal()
        }

        func refuse() { lock.withLock { _ in drops[.refused, default: 0] += 1 } }

        // MARK: Readers

        func takeNews() -> News {
            lock.withLock { _ in
                defer {
                    news.changed.removeAll()
                    news.isResized = false
                }
                return news
            }
        }

        /// Returns true if the compositor must be told to go on.
        func markRead() -> Bool {
            lock.withLock { _ in
                defer { isPaused = false }
                unreadSince = nil
                return isPaused
            }
        }

        var seenCursor: StreamCursor { lock.withLock { _ in cursor } }

        var dropCounts: [String: Int] {
            lock.withLock { _ in Dictionary(uniqueKeysWithValues: drops.map { ($0.key.rawValue, $0.value) }) }
        }

        func withPixels(_ size: PixelSize, _ body: (UnsafeMutablePointer<UInt8>, Int, Bool) -> Void) {
            lock.withLock { _ in
                guard memory.size == size, let pixels = memory.pixels else { return }
                body(pixels, memory.stride, memory.isRGB)
            }
        }
    }

    private let shared: Shared
    /// The C stream, as an integer, because pointers are not `Sendable`.
    private let stream: UInt

    /// Opens a stream. Throws `captureFailed` if PipeWire does not run.
    ///
    /// - Parameters:
    ///   - remote: a connection to PipeWire that a portal has opened, which this object closes; -1 for none.
    ///   - place: the path of PipeWire's socket without such a connection; `nil` for the user's own.
    ///   - size: the size of a virtual monitor; `nil` for a monitor that is there.
    ///   - signal: called at each news, on PipeWire's thread.
    package init(
        remote: Int32 = -1, place: String? = nil, node: UInt32, virtual size: PixelSize? = nil,
        signal: @escaping @Sendable () -> Void
    ) throws(HelioError) {
        shared = Shared(signal)
        let user = Unmanaged.passRetained(shared).toOpaque()
        let events = helio_pw_events(
            picture: { user, picture in
                guard let user, let picture else { return 1 }
                return Unmanaged<Shared>.fromOpaque(user).takeUnretainedValue().take(picture.pointee) ? 1 : 0
            },
            cursor: { user, cursor in
                guard let user, let cursor else { return }
                Unmanaged<Shared>.fromOpaque(user).takeUnretainedValue().take(cursor.pointee)
            },
            ended: { user, reason in
                guard let user else { return }
                let text = reason.map { String(cString: $0) } ?? ""
                Unmanaged<Shared>.fromOpaque(user).takeUnretainedValue().end(text)
            },
            refused: { user in
                if let user { Unmanaged<Shared>.fromOpaque(user).takeUnretainedValue().refuse() }
            })
        var reason: UnsafePointer<CChar>?
        let opened = helio_pw_open(
            remote, place, node, UInt32(size?.width ?? 0), UInt32(size?.height ?? 0), events, user, &reason)
        guard let opened else {
            Unmanaged<Shared>.fromOpaque(user).release()
            throw HelioError(
                .captureFailed,
                "The desktop's pictures come by PipeWire, but \(reason.map { String(cString: $0) } ?? "it fails").")
        }
        stream = UInt(bitPattern: opened)
    }

    deinit {
        helio_pw_close(pointer)
        Unmanaged.passUnretained(shared).release()
    }

    private var pointer: UnsafeMutablePointer<helio_pw>? { UnsafeMutablePointer(bitPattern: stream) }

    /// Returns what has happened since the last call.
    package func takeNews() -> News { shared.takeNews() }

    /// Says that the pictures are read; returns true if the compositor had made none, and makes one now.
    @discardableResult
    package func resume() -> Bool { shared.markRead() && helio_pw_resume(pointer) != 0 }

    /// The pointer, as last told.
    package var cursor: StreamCursor { shared.seenCursor }

    /// The counts of dropped pictures, by name.
    package var drops: [String: Int] { shared.dropCounts }

    /// Calls `body` with the newest picture's first pixel, the distance of rows in bytes, and whether pixels are R, G,
    /// B, X. PipeWire's thread waits meanwhile.
    ///
    /// - Parameter size: the size that the caller expects; of a picture of another size, `body` is not called.
    package func withPixels(of size: PixelSize, _ body: (UnsafeMutablePointer<UInt8>, Int, Bool) -> Void) {
        shared.withPixels(size, body)
    }

    /// Asks for another size of a virtual monitor.
    package func resize(to size: PixelSize) { helio_pw_resize(pointer, UInt32(size.width), UInt32(size.height)) }
}
