package import HelioCore

/// Plans the steps in which a resting picture is refined to visually lossless.
///
/// Any change of the picture restarts the plan, except for a small change, such as typing: otherwise a picture that was
/// sent coarse over a slow path would never be refined while the user types. After the last step there is no deadline:
/// a still screen costs nothing.
package struct RefinementPlanner: Sendable {
    package struct Configuration: Sendable, Hashable {
        /// The time for which the picture must rest before the first step: longer than pauses in typing, scrolling or
        /// dragging, so that refinement never competes with live pictures.
        package var rest: Duration = .milliseconds(250)
        /// The time for which the picture must rest after a small change, until all of it has been refined once.
        package var shortRest: Duration = .milliseconds(40)
        /// The time after a step of `fullStep` bytes or more until the next step, so that a change in between finds the
        /// link free. After a smaller step the time is proportionally shorter, down to a quarter.
        package var spacing: Duration = .milliseconds(16)
        package var fullStep = 24_000
        /// The number of refinement steps (`EncodeRequest.refinement`); 0 never refines.
        package var steps = 3

        package init() {}
    }

    private let configuration: Configuration
    /// The number of refinement steps; some encoders know only after their first picture how finely they can refine.
    package var steps: Int
    /// The next refinement step, 1 or more, and its time; `nil` if all steps are done or no picture has been captured
    /// yet.
    private var next: (step: Int, at: Instant)?
    /// True from the time when all of the picture has been refined until a change that is not small.
    private var isRefined = false

    package init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        steps = configuration.steps
    }

    /// Restarts the plan, as a live picture was captured, which makes earlier refinements void.
    ///
    /// - Parameter isSmall: true if so little has changed that the refinement of the rest continues.
    package mutating func changed(at now: Instant, isSmall: Bool = false) {
        guard steps > 0 else {
            next = nil
            return
        }
        if isSmall, !isRefined {
            next = (next?.step ?? 1, now + configuration.shortRest)
        } else {
            if !isSmall { isRefined = false }
            next = (1, now + configuration.rest)
        }
    }

    /// The refinement step to encode now, for `EncodeRequest.refinement`; `nil` if none is due.
    package func due(now: Instant) -> Int? {
        guard let next, next.at <= now else { return nil }
        return next.step
    }

    /// Schedules the next step after the due step was encoded. A step from before a change is ignored.
    ///
    /// - Parameter bytes: the size of the encoded step; 0 if the encoder output nothing: the link is then free, and the
    ///   next step is due at once.
    package mutating func refined(step: Int, at now: Instant, bytes: Int = .max) {
        guard let next, next.step == step else { return }
        let quarters = (min(bytes, configuration.fullStep) * 4 + configuration.fullStep - 1) / configuration.fullStep
        self.next = step < steps ? (step + 1, now + configuration.spacing * quarters / 4) : nil
        if step >= steps { isRefined = true }
    }

    /// Ends the plan, as the picture has its full sharpness: there are no more steps until the picture changes.
    package mutating func finish() {
        next = nil
        isRefined = true
    }

    package var deadline: Deadline? { next.map { Deadline(at: $0.at, why: "refine the resting picture") } }
}
