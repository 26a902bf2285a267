import Journals
internal import Benchmark
internal import Foundation
internal import Glibc
internal import SystemPackage
internal import TraceFormat
internal import TraceIndex

/// What the index is asked, in a session of 1,000,000 markers.
func measureQuestions() {
    measureQuestion("Index: open") { index, _ in
        try JournalIndex(readingAt: index.path, formats: Journals.all).sessions().count == 1
    }
    measureQuestion("Index: a session") { index, sample in
        try index.session(at: sample.path)?.counts[.marker] == sample.markerCount
    }
    measureQuestion("Index: the last marker, with its line") { index, sample in
        let last = try index.lastMarker(of: sample.path)
        return try last.map { try !index.line(of: $0).isEmpty } ?? false
    }
    measureQuestion("Index: the markers in a range of offsets") { index, sample in
        let middle = SampleSession.length / 2
        let range =
            SessionOffset(
                milliseconds: middle)...SessionOffset(milliseconds: middle + SampleSession.length / 10_000)
        let markers = try index.records(of: sample.path, kind: .marker, offsets: range)
        // A ten-thousandth of the session: a hundred markers, more or less.
        return (50...150).contains(markers.count)
    }
}

/// Asks one question again and again, which says whether the answer was right.
private func measureQuestion(
    _ name: String, _ question: @escaping @Sendable (JournalIndex, SampleSession) throws -> Bool
) {
    Benchmark(name) { benchmark in
        let (sample, index) = try indexed.get()
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            let isRight = try question(index, sample)
            benchmark.check(isRight, "the answer is wrong")
        }
    }
}

/// The session that all questions are about, and its index; made by the first that asks, removed when the
/// process ends.
private let indexed: Result<(SampleSession, JournalIndex), any Error> = Result {
    let sample = try SampleSession(markerCount: 1_000_000)
    atexit { if case .success(let (sample, _)) = indexed { sample.remove() } }
    try buildIndex(of: sample)
    return (
        sample,
        try JournalIndex(
            readingAt: FilePath(sample.state.path).appending("index.sqlite"), formats: Journals.all)
    )
}

/// Has the release binary of `trace` build the index, since that is no part of the library.
private func buildIndex(of sample: SampleSession) throws {
    let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    let trace = Process()
    trace.executableURL = project.appending(path: ".build/release/trace")
    trace.arguments = [
        "index", "rebuild", "--root", sample.root.path, "--state-directory", sample.state.path,
    ]
    trace.standardOutput = FileHandle.nullDevice
    try trace.run()
    trace.waitUntilExit()
    guard trace.terminationStatus == 0 else { throw CocoaError(.featureUnsupported) }
}
