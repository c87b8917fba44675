internal import CPulse

/// What the sound server has been asked and has not answered, for one connection or stream, on its loop's thread only.
///
/// libpulse drops the questions of whatever is disconnected and tells nobody; so whoever asks keeps this, and with the two
/// of them go the questions.
final class PulseQuestions {
    private var waiting: [ObjectIdentifier: (question: AnyObject, operation: OpaquePointer)] = [:]

    deinit {
        for (_, operation) in waiting.values {
            pa_operation_cancel(operation)
            pa_operation_unref(operation)
        }
    }

    /// Asks what `begin` asks, handing it what libpulse is to hand to `PulseQuestion.of` with the answer.
    ///
    /// `answer` is called once, with `failure` where nothing can be asked, and not at all when this object goes before.
    func ask<Answer>(
        orElse failure: Answer, _ answer: @escaping (Answer) -> Void,
        _ begin: (UnsafeMutableRawPointer) -> OpaquePointer?
    ) {
        let question = PulseQuestion(self, answer)
        guard let operation = begin(Unmanaged.passUnretained(question).toOpaque()) else { return answer(failure) }
        waiting[ObjectIdentifier(question)] = (question, operation)
    }

    fileprivate func forget(_ question: AnyObject) {
        guard let (_, operation) = waiting.removeValue(forKey: ObjectIdentifier(question)) else { return }
        pa_operation_unref(operation)
    }
}

/// One of `PulseQuestions`.
final class PulseQuestion<Answer> {
    private weak var questions: PulseQuestions?
    private let answer: (Answer) -> Void
    /// An answer that has come, but not its end.
    var part: Answer?

    fileprivate init(_ questions: PulseQuestions, _ answer: @escaping (Answer) -> Void) {
        self.questions = questions
        self.answer = answer
    }

    static func of(_ data: UnsafeMutableRawPointer?) -> PulseQuestion? {
        data.map { Unmanaged<PulseQuestion>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Passes the answer on; libpulse may not hand this question out again.
    func settle(_ result: Answer) {
        questions?.forget(self)
        answer(result)
    }
}
