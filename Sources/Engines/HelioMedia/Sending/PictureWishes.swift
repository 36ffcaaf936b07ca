/// The requests for a keyframe or a repair picture that an encoder has not answered yet: those of one stream, of all
/// viewers of an encoding, or of the encoding itself.
package struct PictureWishes: Sendable, Hashable {
    package private(set) var keyframe: KeyframeWish?
    package private(set) var repair: RepairWish?

    package init() {}

    package var isEmpty: Bool { keyframe == nil && repair == nil }

    /// Adds a request for a keyframe. An earlier request is kept, with two exceptions: a joining viewer's request
    /// replaces any other, and a last-resort request is replaced by any other kind.
    package mutating func ask(_ new: KeyframeWish) {
        if keyframe.map({ new.isJoin || $0.isLastResort && !new.isLastResort }) ?? true { keyframe = new }
    }

    /// Adds a request for a repair picture. Only the request with the oldest frame is kept, as a picture that can
    /// follow that frame can follow all later ones.
    package mutating func ask(_ new: RepairWish) {
        if new.since < repair?.since ?? .max { repair = new }
    }

    /// Adds each request of `other` under the same rules.
    package mutating func merge(_ other: PictureWishes) {
        if let keyframe = other.keyframe { ask(keyframe) }
        if let repair = other.repair { ask(repair) }
    }

    /// Drops all requests, as the keyframe that begins answers them.
    package mutating func clear() { (keyframe, repair) = (nil, nil) }

    /// Drops the repair request if the repair picture that begins answers it: it can follow the requested frame or an
    /// older one.
    package mutating func repairBegins(since frame: UInt64) {
        if let wanted = repair?.since, wanted >= frame { repair = nil }
    }
}
