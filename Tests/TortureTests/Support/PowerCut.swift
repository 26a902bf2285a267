import Foundation
import ProgramHarness
import Testing

extension Scratch {
    /// Lays out what a power cut has left.
    func lay(_ remains: DiskModel.Remains) throws {
        for name in ["sessions", "state", "run"] where exists(name) { try remove(name) }
        for (path, bytes) in remains.files.sorted(by: { $0.key < $1.key }) {
            guard ["sessions", "state", "run"].contains(where: { path == $0 || path.hasPrefix("\($0)/") })
            else { continue }
            if let bytes {
                try Data(bytes).write(to: URL(filePath: "\(self.path)/\(path)"))
            } else {
                try makeDirectory(path)
            }
        }
    }
}

extension Strace {
    /// Runs `trace` and notes its calls with every byte that is written.
    func recordBytes(_ arguments: [String]) throws -> [RecordedCall] {
        let (outcome, log) = try traced(["-xx", "-s", "1000000"], arguments)
        try #require(outcome.status == 0, "\(outcome)")
        return log.split(separator: "\n").compactMap(RecordedCall.init)
    }
}

extension RecordedCall {
    /// Whether it tells the end of the operation on standard output.
    func isOutput(below path: String) -> Bool {
        name == "write" && descriptor(at: 0) == 1 && result > 0
    }
}
