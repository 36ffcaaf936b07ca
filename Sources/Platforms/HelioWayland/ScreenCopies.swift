package import HelioCore
internal import HelioWaylandWire

/// Copies of an output's picture by wlroots' screencopy.
///
/// The compositor always writes the whole picture, and tells which parts have changed since its last copy for this
/// client, or more than that. It answers a copy "with damage" only when something has changed. The pointer can only be a
/// part of the picture.
package final class ScreenCopies: PictureCopies {
    private struct Frame {
        var object: UInt32
        var isWhole: Bool
        var layout: ShmLayout?
        /// The picture that is written; `nil` until the compositor has told what it needs.
        var picture: SharedPicture?
        var flags: UInt32 = 0
        var changed = Region()
    }

    package private(set) var newest: SharedPicture?
    /// The picture that may be written next.
    private var spare: SharedPicture?
    private var frame: Frame?
    package var isCopying: Bool { frame != nil }
    package var transform: OutputTransform? { nil }
    package var pointer: CopiedPointer? { nil }

    private let connection: WaylandConnection
    private let shm: UInt32
    private let manager: (id: UInt32, version: UInt32)
    private let withPointer: Bool

    /// Throws `unsupported` if the compositor has no screencopy.
    package init(_ connection: WaylandConnection, withPointer: Bool = true) throws(HelioError) {
        self.connection = connection
        self.withPointer = withPointer
        guard let manager = try connection.bind(.screencopyManager) else {
            throw HelioError(
                .unsupported,
                "The Wayland compositor offers no \(WaylandInterface.screencopyManager.rawValue): its screen can't be "
                    + "captured this way.")
        }
        guard manager.version >= 2 else {
            throw HelioError(
                .unsupported,
                "The Wayland compositor's \(WaylandInterface.screencopyManager.rawValue) is of version 1, which "
                    + "does not tell what has changed. Use a newer release of the compositor.")
        }
        guard let shm = try connection.bind(.shm) else {
            throw HelioError(
                .unsupported, "The Wayland compositor offers no wl_shm, so no memory can be shared with it.")
        }
        self.manager = manager
        self.shm = shm.id
    }

    package func ask(of output: UInt32, isWhole: Bool) throws(HelioError) {
        guard frame == nil else { return }
        let object = try connection.make(.screencopyFrame, version: manager.version)
        connection.send(.captureOutput(frame: object, withCursor: withPointer, output: output), to: manager.id)
        frame = Frame(object: object, isWhole: isWhole)
    }

    package func cancel() {
        guard let frame else { return }
        connection.destroy(frame.object)
        if let picture = frame.picture { spare = picture }
        self.frame = nil
    }

    package func take(_ notice: WaylandConnection.Notice) throws(HelioError) -> CopyResult? {
        guard notice.object == frame?.object else { return nil }
        switch notice.event {
        case .buffer(let layout):
            frame?.layout = layout
            if manager.version < 3 { return try begin() }
        case .bufferDone: return try begin()
        case .flags(let flags): frame?.flags = flags
        case .damage(let rect):
            // Clipped before anything is computed with it: the numbers may be of any size.
            if let picture = frame?.picture { frame?.changed.add(rect.intersection(PixelRect(picture.size))) }
        case .failed:
            cancel()
            return .failed
        case .ready:
            guard let done = frame, let picture = done.picture else {
                return refuse("says it is done before it has begun")
            }
            picture.isInverted = done.flags & 1 != 0
            connection.destroy(done.object)
            frame = nil
            (spare, newest) = (newest, picture)
            return .copied(changed: done.isWhole ? nil : done.changed.differing(in: picture, from: spare))
        default: break
        }
        return nil
    }

    /// Begins the copy once the compositor has told what memory it needs. A second telling is ignored.
    private func begin() throws(HelioError) -> CopyResult? {
        guard var begun = frame, begun.picture == nil else { return nil }
        guard let layout = begun.layout else { return refuse("offers no shared memory") }
        let picture =
            if let spare, spare.layout == layout { spare } else { try SharedPicture(layout, shm: shm, connection) }
        begun.picture = picture
        spare = nil
        frame = begun
        connection.send(
            begun.isWhole ? .copy(buffer: picture.object) : .copyWithDamage(buffer: picture.object), to: begun.object)
        return nil
    }

    private func refuse(_ what: String) -> CopyResult {
        refusal = "The Wayland compositor's screencopy \(what)"
        cancel()
        return .failed
    }

    /// A mistake of the compositor's.
    package private(set) var refusal: String?
}
