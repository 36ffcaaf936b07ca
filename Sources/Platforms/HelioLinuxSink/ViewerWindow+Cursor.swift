internal import CSDL2
package import HelioCore
internal import HelioWindow

/// The display of the host's pointer. While this machine's pointer is over the picture and controls the host, it takes
/// the host's shape, so it moves without network delay. Otherwise the host's pointer is drawn over the picture at the
/// position that the host reports.
extension ViewerWindow {
    /// Sets the shape of the host's pointer; `nil` if the host shows none.
    package func setCursorShape(_ shape: CursorShape?) {
        if cursor.isKnown, cursor.shape == shape { return }
        cursor.shape = shape
        cursor.isKnown = true
        rescaleCursor()
    }

    /// Sets the position of the host's pointer in the picture's pixels; `nil` if it is not on the picture.
    package func setCursorPosition(_ position: (x: Int, y: Int)?) {
        cursor.position = position
        placeCursorLayer()
    }

    var isPointerOverPicture: Bool {
        guard picture != nil, let position = pointer.position else { return false }
        return layout.normalized(x: position.x, y: position.y) != nil
    }

    /// Scales the shape again, after a change of the shape or of the picture's scale.
    func rescaleCursor() {
        removeCursorLayer()
        cursor.scaled = cursor.shape.flatMap {
            ScaledCursor($0, scaleX: layout.scaleX, scaleY: layout.scaleY)
        }
        let (old, oldShared) = (cursor.local, cursor.shared)
        cursor.local = nil
        cursor.shared = nil
        if picture != nil, let wayland, let scaled = cursor.scaled {
            cursor.shared = WaylandCursor(scaled, of: wayland, pixelsPerPoint: pixelsPerPoint)
        } else if picture != nil, let scaled = cursor.scaled, let surface = scaled.makeSurface() {
            cursor.local = SDL_CreateColorCursor(surface, Int32(scaled.hotspotX), Int32(scaled.hotspotY))
            SDL_FreeSurface(surface)
        }
        updateCursor()
        if let old { SDL_FreeCursor(old) }
        withExtendedLifetime(oldShared) {}
    }

    /// Shows the host's pointer as either this machine's pointer or a layer over the picture.
    func updateCursor() {
        let isOurs = controls && isPointerOverPicture && !isPointerLocked && cursor.isKnown
        SDL_SetCursor(isOurs ? cursor.local ?? SDL_GetDefaultCursor() : SDL_GetDefaultCursor())
        SDL_ShowCursor(isOurs && cursor.shape == nil ? SDL_DISABLE : SDL_ENABLE)
        if isOurs, cursor.shape != nil { cursor.shared?.show() }
        placeCursorLayer()
    }

    private func placeCursorLayer() {
        let isWanted = !(controls && isPointerOverPicture && !isPointerLocked)
        guard isWanted, picture != nil, let position = cursor.position, let scaled = cursor.scaled else {
            return removeCursorLayer()
        }
        if cursor.layer == nil { cursor.layer = scaled.makeSurface().map { OverlayLayer(owning: $0) } }
        guard let layer = cursor.layer else { return }
        let place = layout.windowPoint(ofX: position.x, y: position.y)
        invalidate(layer.frame)
        layer.x = place.x - scaled.hotspotX
        layer.y = place.y - scaled.hotspotY
        invalidate(layer.frame)
    }

    private func removeCursorLayer() {
        if let layer = cursor.layer { invalidate(layer.frame) }
        cursor.layer = nil
    }
}
