import HelioAndroid
import HelioCore

/// The engine and a fake phone on virtual time.
struct PhoneRun: ~Copyable {
    var phone: FakePhone
    var engine: AndroidPhone
    var events: [AndroidEvent] = []
    var now = Instant.zero
    private var isDrained = false

    init(_ phone: FakePhone = FakePhone(), isWatched: Bool = true, _ change: (inout AndroidSettings) -> Void = { _ in })
    {
        var settings = AndroidSettings(serial: nil, server: [1, 2, 3], serverDigest: "abcd")
        change(&settings)
        self.phone = phone
        engine = AndroidPhone(settings, random: SeededGenerator(seed: 7), now: .zero)
        if isWatched { engine.handle(.watched(true), now: now) }
        drain()
    }

    mutating func give(_ input: AndroidPhone.Input?) {
        if let input { engine.handle(input, now: now) }
        drain()
    }

    mutating func give(_ inputs: [AndroidPhone.Input]) { for input in inputs { give(input) } }

    private mutating func drain() {
        while let output = engine.poll() {
            if case .event(let event) = output { events.append(event) }
            for input in phone.take(output) { engine.handle(input, now: now) }
        }
    }

    /// Lets time pass, at each deadline of the engine.
    mutating func pass(_ time: Duration) {
        let end = now + time
        while let next = engine.deadline?.at, next <= end {
            now = max(now, next)
            engine.tick(now: now)
            drain()
        }
        now = end
    }

    var pictures: [AndroidPicture] { events.compactMap { if case .picture(let picture) = $0 { picture } else { nil } } }
    var sizes: [PixelSize] { events.compactMap { if case .format(_, let size, _) = $0 { size } else { nil } } }
    var failure: AndroidTrouble? { if case .failed(let trouble)? = events.last { trouble } else { nil } }
    var waits: [AndroidTrouble] { events.compactMap { if case .waiting(let trouble) = $0 { trouble } else { nil } } }
}
