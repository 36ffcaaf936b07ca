internal import HelioCore
internal import HelioWaylandWire

/// The pointer over an output, by a cursor session of ext-image-copy-capture: its place, and pictures of its shape.
///
/// A seat without a device has no pointer, and it is an error to ask for it: so the session begins when the seat has
/// one.
final class SessionCursor {
    private(set) var pointer = CopiedPointer()
    /// True if the compositor can't give shapes this way: the pictures must have the pointer in them.
    private(set) var isUseless = false

    private let connection: WaylandConnection
    private let manager: UInt32
    private let seat: (id: UInt32, version: UInt32)
    private let copier: SessionCopier
    /// The seat's pointer; `nil` while it has none.
    private var device: UInt32?
    /// The source of the output that is followed.
    private var source: UInt32?
    private var session: UInt32?
    /// True after a failure, until there is reason to ask again.
    private var isWaiting = false
    /// The hot spot of the next shape.
    private var hotspot = (x: 0, y: 0)

    /// The longest side of a shape in pixels; those of desktops have 24 to 256.
    private static let longestSide = 512

    init(_ connection: WaylandConnection, manager: UInt32, shm: UInt32, seat: (id: UInt32, version: UInt32)) {
        self.connection = connection
        self.manager = manager
        self.seat = seat
        copier = SessionCopier(connection, shm: shm, formats: ShmFormat.codesWithAlpha)
    }

    /// Follows the pointer over another source's output, or over none.
    func follow(_ source: UInt32?) {
        if let session { connection.destroy(session) }
        copier.end()
        (session, self.source) = (nil, source)
        pointer.isInside = false
        beginIfDue()
    }

    private func beginIfDue() {
        guard session == nil, let source, let device, !isUseless,
            let made = try? connection.make(.cursorSession), let pictures = try? connection.make(.copySession)
        else { return }
        connection.send(.createCursorSession(made, source: source, pointer: device), to: manager)
        connection.send(.getCaptureSession(pictures), to: made)
        session = made
        copier.begin(pictures)
        isWaiting = false
        askIfDue()
    }

    /// Handles an event if it is about the pointer.
    func take(_ notice: WaylandConnection.Notice) throws(HelioError) {
        switch notice.event {
        case .capabilities(let devices) where notice.object == seat.id: try follow(devices: devices)
        case .pointerEntered where notice.object == session:
            pointer.isInside = true
            isWaiting = false
        case .pointerLeft where notice.object == session: pointer.isInside = false
        case .pointerPosition(let x, let y) where notice.object == session:
            (pointer.x, pointer.y) = (x, y)
            // The pointer is over the output, so its shape should be known or asked for.
            if copier.refusal != nil, pointer.shape == nil { isUseless = true }
        case .hotspot(let x, let y) where notice.object == session: hotspot = (x, y)
        default: takeShape(notice)
        }
        askIfDue()
    }

    private func follow(devices: UInt32) throws(HelioError) {
        if devices & 1 != 0, device == nil {
            let made = try connection.make(.pointer, version: seat.version)
            connection.send(.getPointer(made), to: seat.id)
            device = made
            beginIfDue()
        } else if devices & 1 == 0, let gone = device {
            let followed = source
            follow(nil)
            source = followed
            connection.destroy(gone)
            device = nil
        }
    }

    private func takeShape(_ notice: WaylandConnection.Notice) {
        do throws(HelioError) {
            switch try copier.take(notice) {
            case .copied:
                if let picture = copier.newest { pointer.shape = shape(of: picture) ?? pointer.shape }
            case .failed:
                // Without any shape the viewer would see no pointer at all.
                if pointer.isInside, pointer.shape == nil { isUseless = true }
                isWaiting = true
            case nil:
                if case .bufferDone = notice.event, notice.object == copier.session { isWaiting = false }
            }
        } catch {
            // A shape that can't be shared must not end the pictures.
            isUseless = true
        }
    }

    /// Asks for the next shape; after a failure not before the pointer comes back, or the session tells other needs.
    private func askIfDue() {
        if isUseless || isWaiting || copier.isCopying || copier.refusal != nil { return }
        do throws(HelioError) {
            try copier.ask()
        } catch {
            isUseless = true
        }
    }

    /// Returns the shape, without the transparent pixels at its right and lower edge; `nil` if it is turned or too
    /// large.
    private func shape(of picture: SharedPicture) -> CursorShape? {
        let size = picture.size
        guard copier.transform == .normal, size.width <= Self.longestSide, size.height <= Self.longestSide else {
            return nil
        }
        let (spotX, spotY) = (max(0, min(hotspot.x, size.width - 1)), max(0, min(hotspot.y, size.height - 1)))
        func pixel(_ x: Int, _ y: Int) -> UInt32 {
            UnsafeRawPointer(picture.pixels).loadUnaligned(fromByteOffset: y * picture.stride + x * 4, as: UInt32.self)
        }
        var (width, height) = (spotX + 1, spotY + 1)
        for y in 0..<size.height {
            for x in 0..<size.width where pixel(x, y) >> 24 != 0 { (width, height) = (max(width, x + 1), y + 1) }
        }
        height = max(height, spotY + 1)
        let shifts: [UInt32] = picture.format.isBGRX ? [16, 8, 0] : [0, 8, 16]
        var rgba: [UInt8] = []
        rgba.reserveCapacity(width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                let pixel = pixel(x, y)
                for shift in shifts { rgba.append(Self.straight(pixel >> shift & 0xFF, pixel >> 24)) }
                rgba.append(UInt8(pixel >> 24))
            }
        }
        return CursorShape(
            size: PixelSize(width: width, height: height), hotspotX: spotX, hotspotY: spotY, rgba: rgba)
    }

    /// Returns a channel without the alpha that it is multiplied by.
    private static func straight(_ channel: UInt32, _ alpha: UInt32) -> UInt8 {
        alpha == 0 ? 0 : UInt8(min(255, (channel * 255 + alpha / 2) / alpha))
    }
}
