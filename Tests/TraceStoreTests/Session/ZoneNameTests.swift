import FileHarness
import Glibc
import RecordFormat
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceText

@testable import TraceStore

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

    // MARK: - Old names

    /// A directory of zones as a system has it that leaves names out.
    ///
    /// - Parameter files: The names that have a file, and what those zones are called now.
    private func directory(with files: [String: String], links: String? = nil) throws -> ScratchDirectory {
        let scratch = try ScratchDirectory()
        for (name, zone) in files {
            let place = scratch.path.pushing(FilePath(name))
            let parent = place.removingLastComponent()
            if !parent.exists { try #require(mkdir(parent.string, 0o755) == 0) }
            try place.link(to: "/usr/share/zoneinfo/\(zone)")
        }
        if let links { try scratch.write(links, to: "tzdata.zi") }
        return scratch
    }

    /// What the clocks of a zone show, around the changes of some years.
    private func clocks(_ zone: ZoneRules) -> [String] {
        stride(from: Int64(0), to: 1_800_000_000_000, by: 8_000_000_000).map {
            zone.secondText(Timestamp(milliseconds: $0))
        }
    }

    @Test(arguments: [
        ("Asia/Calcutta", "Asia/Kolkata", "Asia/Kolkata"),
        ("Asia/Katmandu", "Asia/Kathmandu", "Asia/Kathmandu"),
        ("Europe/Kiev", "Europe/Kyiv", "Europe/Kyiv"),
        ("Asia/Saigon", "Asia/Ho_Chi_Minh", "Asia/Ho_Chi_Minh"),
        ("Pacific/Truk", "Pacific/Chuuk", "Pacific/Chuuk"),
        ("US/Pacific", "America/Los_Angeles", "America/Los_Angeles"),
        ("Japan", "Asia/Tokyo", "Asia/Tokyo"),
        // Files that are older than the new name.
        ("Europe/Kyiv", "Europe/Kiev", "Europe/Kyiv"),
        ("Pacific/Kanton", "Pacific/Enderbury", "Pacific/Kanton"),
    ])
    func `a zone is found by the name that it had, or has got`(name: String, file: String, zone: String)
        throws
    {
        let scratch = try directory(
            with: [file: zone, "Asia/Dhaka": "Asia/Dhaka"],
            links:
                "# version 2025b\nR A 1 2 o - Jan 1 0 0 -\nL America/Los_Angeles US/Pacific\nL Asia/Tokyo Japan\n"
        )
        let found = try ZoneFiles.rules(named: name, below: scratch.path)
        #expect(found.name == name)
        #expect(try clocks(found) == clocks(ZoneFiles.rules(named: zone)))
    }

    @Test func `the names that browsers send need no list of links`() throws {
        let scratch = try directory(with: ["Asia/Kolkata": "Asia/Kolkata"])
        #expect(try ZoneFiles.rules(named: "Asia/Calcutta", below: scratch.path).name == "Asia/Calcutta")
        #expect(throws: FileError.self) { try ZoneFiles.rules(named: "US/Pacific", below: scratch.path) }
    }

    @Test func `of a zone that has no file under any name, the error has the new name and what to install`()
        throws
    {
        let scratch = try directory(with: ["Asia/Dhaka": "Asia/Dhaka"], links: "L Asia/Dhaka Asia/Dacca\n")
        let error = #expect(throws: FileError.self) {
            try ZoneFiles.rules(named: "Asia/Calcutta", below: scratch.path)
        }
        #expect(
            error?.cure?.text
                == "it is Asia/Kolkata now, whose file is missing, too: apt install --reinstall tzdata")
    }

    @Test(arguments: [
        ("Europe/Berln", "Europe/Berlin"), ("Europe/Kyrov", "Europe/Kirov"), ("Asia/Colcuta", nil),
        ("Europe/Kioto", nil),
        ("Nowhere", nil), ("ROX", nil), ("Etc/GMT+99", nil), ("Mars/Olympus", nil),
    ])
    func `only what differs in one letter is a slip`(name: String, meant: String?) {
        #expect(ZoneFiles.slip(name) == meant)
    }
}
