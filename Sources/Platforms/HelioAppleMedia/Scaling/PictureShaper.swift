package import HelioCore

/// Scales and rotates captured pictures into pooled pictures, with one session that is reused (requirement rows 93 to
/// 95, 161; defect 12).
///
/// A preset bounds the size, in the screen's orientation; the aspect ratio is kept. A picture is scaled first, as a
/// smaller one is rotated faster; a picture that needs neither is returned unchanged. At most `limit` pictures of each
/// pool are in use at once, which bounds the memory of an extension (requirement row 162).
package final class PictureShaper<Transfers: PictureTransfers> {
    package typealias Picture = Transfers.Session.Picture

    private struct Stage {
        var pool: Transfers.Pool
        var size: PixelSize
    }

    /// The lost pictures and replaced sessions, counted by reason.
    package private(set) var losses = DropCounter<ShaperLoss>()

    package let transfers: Transfers
    private let preset: EncoderPreset?
    private let largest: PixelSize?
    private let limit: Int
    private var session: Transfers.Session?
    private var scaled: Stage?
    private var turned: Stage?

    /// - Parameters:
    ///   - preset: the preset whose size bounds the pictures, 1280x720 by default; `nil` for the bound `largest` only.
    ///   - largest: a further bound, from an app.
    ///   - limit: the maximum number of pictures in each pool.
    package init(
        _ transfers: Transfers, preset: EncoderPreset? = .broadcast, largest: PixelSize? = nil, limit: Int = 3
    ) {
        self.transfers = transfers
        self.preset = preset
        self.largest = largest
        self.limit = max(1, limit)
    }

    deinit { session?.invalidate() }

    /// Returns the size of a captured picture after scaling and rotation, with even sides.
    package func size(of captured: PixelSize, rotation: PictureRotation) -> PixelSize {
        rotation.turned(unturned(captured))
    }

    /// Scales and rotates a picture. Returns `nil` if all pictures of a pool are in use, which is counted.
    ///
    /// - Parameter largest: a bound that replaces the initialiser's `largest`; `nil` to use that one.
    ///
    /// Throws `captureFailed` if the session fails, and the next picture then gets a new session; `invalidArgument` if
    /// a side is below 16 pixels.
    package func shape(
        _ picture: Picture, rotation: PictureRotation, largest: PixelSize? = nil
    ) throws(HelioError) -> Picture? {
        let captured = transfers.size(of: picture)
        return try shape(picture, captured, scaled: unturned(captured, within: largest), rotation)
    }

    /// Scales and rotates a picture to exactly `size`, without keeping the aspect ratio.
    package func shape(
        _ picture: Picture, rotation: PictureRotation, to size: PixelSize
    ) throws(HelioError) -> Picture? {
        // A quarter turn swaps the sides in either direction.
        try shape(picture, transfers.size(of: picture), scaled: rotation.turned(size), rotation)
    }

    private func shape(
        _ picture: Picture, _ captured: PixelSize, scaled size: PixelSize, _ rotation: PictureRotation
    ) throws(HelioError) -> Picture? {
        guard captured.width >= 16, captured.height >= 16, size.width >= 16, size.height >= 16 else {
            throw HelioError(.invalidArgument, "A picture of \(captured) can't be coded: sizes are at least 16.")
        }
        var result = picture
        if size != captured {
            guard let room = try room(size, like: picture, in: &self.scaled) else { return nil }
            try run { $0.scale(picture, into: room) }
            transfers.copyColor(from: picture, to: room)
            result = room
        }
        guard rotation != .none else { return result }
        guard let room = try room(rotation.turned(size), like: picture, in: &turned) else { return nil }
        let source = result
        try run { $0.turn(source, by: rotation, into: room) }
        transfers.copyColor(from: picture, to: room)
        return room
    }

    private func unturned(_ captured: PixelSize, within bound: PixelSize? = nil) -> PixelSize {
        let largest = bound ?? largest
        let size = preset?.size(of: captured, largest: largest) ?? captured.fitted(within: largest)
        return PixelSize(width: size.width & ~1, height: size.height & ~1)
    }

    /// Returns a free picture from the stage's pool, or `nil` if all are in use. Replaces the pool if the size has
    /// changed.
    private func room(_ size: PixelSize, like picture: Picture, in stage: inout Stage?) throws(HelioError) -> Picture? {
        if stage?.size != size {
            guard let pool = transfers.makePool(size, like: picture, limit: limit) else {
                throw HelioError(.captureFailed, "There is no memory for pictures of \(size).")
            }
            stage = Stage(pool: pool, size: size)
        }
        if let room = stage?.pool.take() { return room }
        losses.count(.allInUse)
        return nil
    }

    /// Runs a step; tries again with a new session if the present one is invalid.
    private func run(_ step: (Transfers.Session) -> SessionStatus) throws(HelioError) {
        var status = step(try present())
        if status == .invalidSession {
            losses.count(.rebuilt)
            drop()
            status = step(try present())
        }
        guard status != .done else { return }
        drop()
        throw HelioError(.captureFailed, "A picture can't be scaled or turned: \(status).")
    }

    private func drop() {
        session?.invalidate()
        session = nil
    }

    private func present() throws(HelioError) -> Transfers.Session {
        if let session { return session }
        switch transfers.makeSession() {
        case .success(let fresh):
            session = fresh
            return fresh
        case .failure(let failure):
            throw HelioError(.captureFailed, "Pictures can't be scaled or turned: \(failure.status).")
        }
    }
}

/// The reason why `PictureShaper` gave no picture, or replaced its session.
package enum ShaperLoss: String, Sendable, Hashable, CaseIterable {
    /// All pictures of the pool were in use, as the encoder or a connection is slow.
    case allInUse = "pictures-all-in-use"
    /// The session was invalid, and another one replaced it.
    case rebuilt = "rebuilt-scaler"
}
