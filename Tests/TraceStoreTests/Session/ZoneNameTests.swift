import RecordFormat
import Testing
import TraceFiles
import TraceStore
import TraceText

/// Which names are those of zones.
struct ZoneNameTests {
    @Test(arguments: ["Europe/Berlin", "UTC", "Etc/UTC", "CET-1CEST,M3.5.0,M10.5.0/3"])
    func `a zone is found by its name or its rule`(name: String) throws {
        _ = try ZoneFiles.rules(named: name)
    }

    /// The system would take the last of them for the file that they lead to.
    @Test(arguments: [
        "", "Mars/Olympus", "Europe", "/Europe/Berlin", "../zoneinfo/UTC", "Europe/Berlin/", "Europe/B\u{0}",
    ])
    func `what only leads to a file is not a name`(name: String) {
        let error = #expect(throws: FileError.self) { try ZoneFiles.rules(named: name) }
        #expect(error?.code == .notFound)
    }
}
