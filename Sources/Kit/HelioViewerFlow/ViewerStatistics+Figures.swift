internal import HelioAppModels
private import HelioCore
internal import HelioViewing

extension ViewerStatistics {
    /// The figures of the statistics overlay. Their names are short and not localised, as on the web page and in the
    /// viewer window's overlay.
    var figures: [SessionModel.Figure] {
        var figures = [
            SessionModel.Figure(name: "Picture", value: "\(width) × \(height), \(codec) \(chroma), \(decoder)"),
            SessionModel.Figure(name: "Frames/s", value: Self.text(framesPerSecond, 1)),
            SessionModel.Figure(name: "Mbit/s", value: Self.text(megabitsPerSecond, 2)),
        ]
        if let total = latency["total"] {
            figures.append(
                .init(name: "Delay", value: "\(Self.text(total.p50, 1)) ms, p95 \(Self.text(total.p95, 1)) ms"))
        }
        if let roundTrip { figures.append(.init(name: "Round trip", value: "\(Self.text(roundTrip, 1)) ms")) }
        figures.append(.init(name: "Jitter", value: "\(Self.text(jitter, 1)) ms"))
        figures.append(.init(name: "Lost", value: "\(lost) of \(packets), \(recovered) recovered"))
        if let link { figures.append(.init(name: "Link", value: link)) }
        if let transport { figures.append(.init(name: "Transport", value: transport)) }
        if let sound { figures.append(.init(name: "Sound", value: Self.text(sound))) }
        figures += drops.sorted { $0.key < $1.key }.map { .init(name: "Dropped", value: "\($0.key) \($0.value)") }
        return figures
    }

    private static func text(_ sound: Sound) -> String {
        guard sound.isOn else { return "off" }
        return "\(sound.codec)" + (sound.delay.map { ", \(text($0, 1)) ms" } ?? "") + ", lost \(sound.lost)"
    }

    private static func text(_ value: Double, _ digits: Int) -> String { value.text(decimals: digits) }
}
