import HelioAppleMedia
import HelioCore

/// A picture buffer with a number instead of pixels.
final class NumberedBuffer: PictureBuffer {
    let number: Int
    let size: PixelSize
    init(_ number: Int, _ size: PixelSize) { (self.number, self.size) = (number, size) }
    var samples: SampleFormat? { SampleFormat(chroma: .yuv420, isFullRange: false) }
    func meanLuma(everyRow step: Int) -> Double { 0 }
}

/// The textures of a buffer, which must live until the fake graphics processor has read them.
final class FakeTextures: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
}

final class FakeCache: TextureCaching {
    var fails = false
    var flushes = 0
    func textures(of buffer: NumberedBuffer, samples: SampleFormat) -> FakeTextures? {
        fails ? nil : FakeTextures(buffer.number)
    }
    func flush() { flushes += 1 }
}

/// A surface whose simulated GPU finishes its work on request. It retains no textures, so a read after they were
/// released or reused is detected.
final class FakeSurface: DrawingSurface {
    struct Job {
        weak var textures: FakeTextures?
        var number: Int
        var scene: (quad: Quad, pointer: PointerOverlay.Drawn?, pixelated: Bool)
        var done: @Sendable (DrawingResult) -> Void
    }

    var size = PixelSize(width: 640, height: 360)
    var isTicking = false
    var caches: [FakeCache] = []
    var jobs: [Job] = []
    var drawn: [Int] = []
    var most = 0
    var refuses = false

    func makeTextureCache() -> FakeCache? {
        caches.append(FakeCache())
        return caches.last
    }

    func draw(
        _ scene: Scene<FakeTextures>, on target: Int, done: @escaping @Sendable (DrawingResult) -> Void
    ) -> Bool {
        if refuses { return false }
        jobs.append(
            Job(
                textures: scene.textures, number: scene.textures.number,
                scene: (scene.quad, scene.pointer, scene.isPixelated), done: done))
        drawn.append(scene.textures.number)
        most = max(most, jobs.count)
        return true
    }

    /// Finishes the oldest drawing; returns false if its textures were released while in use.
    func finish(isDone: Bool = true) -> Bool {
        let job = jobs.removeFirst()
        let isThere = job.textures?.number == job.number
        job.done(DrawingResult(isDone: isDone))
        return isThere
    }
}
