import HelioCore
import HelioRemote

/// The vectors of `Testing/Vectors/gestures.json`, which documents itself in `about`.
struct GestureVectors: Decodable {
    var defaults: [String: Value]
    var cases: [Case]

    struct Case: Decodable, Sendable, CustomStringConvertible {
        var name: String
        var settings: [String: Value]?
        var zoom: Double?
        var steps: [Step]

        var description: String { name }
    }

    /// The value of a setting.
    enum Value: Decodable, Sendable {
        case flag(Bool)
        case number(Double)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else {
                self = .number(try container.decode(Double.self))
            }
        }
    }

    struct Step: Decodable, Sendable {
        var at: Double
        var down: [Double]?
        var move: [Double]?
        var up: [Double]?
        var cancel: Int?
        var tick: Bool?
        var reset: Bool?
        var actions: [Action]?
        /// The expected deadline: `nil` if the case doesn't state any; `.some(nil)` if nothing is due.
        var due: Double??

        private enum CodingKeys: String, CodingKey {
            case at
            case down
            case move
            case up
            case cancel
            case tick
            case reset
            case actions = "do"
            case due
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            at = try container.decode(Double.self, forKey: .at)
            down = try container.decodeIfPresent([Double].self, forKey: .down)
            move = try container.decodeIfPresent([Double].self, forKey: .move)
            up = try container.decodeIfPresent([Double].self, forKey: .up)
            cancel = try container.decodeIfPresent(Int.self, forKey: .cancel)
            tick = try container.decodeIfPresent(Bool.self, forKey: .tick)
            reset = try container.decodeIfPresent(Bool.self, forKey: .reset)
            actions = try container.decodeIfPresent([Action].self, forKey: .actions)
            if container.contains(.due) { due = .some(try container.decodeIfPresent(Double.self, forKey: .due)) }
        }

        /// The engine's input; `nil` for a tick.
        var input: GestureEngine.Input? {
            if let down { return .down(id: Int(down[0]), x: down[1], y: down[2]) }
            if let move { return .move(id: Int(move[0]), x: move[1], y: move[2]) }
            if let up { return .up(id: Int(up[0]), x: up[1], y: up[2]) }
            if let cancel { return .cancel(id: cancel) }
            return reset == true ? .reset : nil
        }

        var isKnown: Bool { input != nil || tick == true }
    }

    struct Action: Decodable, Sendable {
        var type: String
        var button: String?
        var count: Int?
        var dx: Double?
        var dy: Double?
        var scale: Double?
        var x: Double?
        var y: Double?

        /// The action; `nil` for an unknown type.
        var value: GestureAction? {
            switch type {
            case "move": return .move(dx: Int(dx ?? 0), dy: Int(dy ?? 0))
            case "scroll": return .scroll(dx: Int(dx ?? 0), dy: Int(dy ?? 0))
            case "pan": return .pan(dx: dx ?? 0, dy: dy ?? 0)
            case "zoom": return .zoom(scale: scale ?? 0, x: x ?? 0, y: y ?? 0)
            case "resetZoom": return .resetZoom
            case "click": return count == 1 ? pointerButton.map { .click($0) } : nil
            case "down": return pointerButton.map { .button($0, isDown: true) }
            case "up": return pointerButton.map { .button($0, isDown: false) }
            default: return nil
            }
        }

        private var pointerButton: PointerButton? {
            switch button {
            case "left": .left
            case "right": .right
            case "middle": .middle
            default: nil
            }
        }
    }
}
