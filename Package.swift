// swift-tools-version: 6.2
import PackageDescription

// The dependency direction is drawn in docs/architecture.md; a module exists to fence in a dependency or to
// draw a line of purity.

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The settings of what the programs are made of. One optimised build serves people and tests (docs/decisions/0033): tests see its internal
/// declarations, and its assertions count. What `make deb` packages is built without both. (Not a trait: SwiftPM hands several traits to the
/// compiler in an order that changes from run to run, and builds everything again.)
let product: [SwiftSetting] =
    Context.environment["TRACE_DISTRIBUTED"] != nil
    ? strict
    : strict + [
        .unsafeFlags(["-enable-testing", "-assert-config", "Debug"], .when(configuration: .release))
    ]

/// The settings of tests. Nobody waits for what they compute: not optimised, they are compiled in a third of the time.
let tests: [SwiftSetting] = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// How the programs are linked for people: with Swift's runtime and Foundation in them, so that they run on a machine without Swift, without ICU's
/// data (CNoICUData), and without a table of names for other libraries. A module that was compiled for the shared Foundation does not name what the
/// static one needs.
let alone: [LinkerSetting] =
    [
        .unsafeFlags(
            ["-static-stdlib", "-Xlinker", "--no-export-dynamic"], .when(configuration: .release))
    ]
    + [
        "Foundation", "FoundationInternationalization", "FoundationEssentials", "CoreFoundation",
        "_FoundationICU",
        "_FoundationCShims", "_FoundationCollections", "swiftSynchronization", "swift_RegexParser",
        "swift_StringProcessing", "swiftGlibc",
    ].map { .linkedLibrary($0, .when(configuration: .release)) }

let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let package = Package(
    name: "trace",
    products: [
        .library(name: "TraceFiles", targets: ["TraceFiles"]),
        .library(name: "Journals", targets: ["Journals"]),
        .library(name: "RecordFormat", targets: ["RecordFormat"]),
        .library(name: "TraceFormat", targets: ["TraceFormat"]),
        .library(name: "TraceDigest", targets: ["TraceDigest"]),
        .library(name: "TraceStore", targets: ["TraceStore"]),
        .library(name: "TraceIndex", targets: ["TraceIndex"]),
        .executable(name: "trace", targets: ["trace"]),
        .executable(name: "traced", targets: ["traced"]),
    ],
    traits: [
        .trait(
            name: "InotifyTools",
            description: "Watch with libinotifytools (GPL-2.0-only); without it, with inotify(7) itself."),
        .default(enabledTraits: ["InotifyTools"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    ],
    targets: [
        .target(
            name: "CSimdJSON",
            cxxSettings: [.unsafeFlags(["-O3", "-Wall", "-Wextra", "-Werror"])],
            linkerSettings: [.linkedLibrary("simdjson")]),
        .target(name: "CLandlock", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
        .systemLibrary(name: "CInotifyTools", providers: [.apt(["libinotifytools0-dev"])]),
        .systemLibrary(
            name: "CMark", providers: [.apt(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"])]),
        .systemLibrary(name: "CXXHash", providers: [.apt(["libxxhash-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),

        .target(name: "CNoICUData"),
        .target(name: "CLibcrypto", linkerSettings: [.linkedLibrary(":libcrypto.a")]),

        .target(name: "TraceText", swiftSettings: product),
        .target(name: "TraceCrypto", dependencies: ["CLibcrypto"], swiftSettings: product),
        .target(
            name: "TraceFiles",
            dependencies: ["TraceCrypto", "TraceText", systemPackage],
            swiftSettings: product),
        .target(name: "RecordFormat", dependencies: ["CSimdJSON", "TraceText"], swiftSettings: product),
        .target(name: "TraceFormat", dependencies: ["RecordFormat", "TraceText"], swiftSettings: product),
        .target(
            name: "TraceStore",
            dependencies: [
                "CLandlock", "RecordFormat", "TraceFiles", "TraceFormat", "TraceCrypto", "TraceText",
                systemPackage,
            ],
            swiftSettings: product),
        .target(
            name: "TraceAccess",
            dependencies: [
                "RecordFormat", "TraceFiles", "TraceStore", "TraceCrypto", "TraceText", systemPackage,
            ],
            swiftSettings: product),
        .target(
            name: "TraceMedia",
            dependencies: [
                "RecordFormat", "TraceFiles", "TraceFormat", "TraceStore", "TraceCrypto", "TraceText",
                systemPackage,
            ],
            swiftSettings: product),
        .target(
            name: "PracticeJournal",
            dependencies: [
                "RecordFormat", "TraceFiles", "TraceStore", "TraceCrypto", "TraceText",
                systemPackage,
            ],
            swiftSettings: product),
        .target(
            name: "Journals", dependencies: ["PracticeJournal", "TraceStore"], swiftSettings: product),
        .target(
            name: "TraceIndex",
            dependencies: [
                "CXXHash", "RecordFormat", "TraceFiles", "TraceFormat", "TraceStore", "TraceText",
                systemPackage,
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: product, linkerSettings: [.linkedLibrary(":libxxhash.a")]),
        .target(
            name: "TraceLibrary",
            dependencies: [
                "Journals", "RecordFormat", "TraceAccess", "TraceFiles", "TraceFormat", "TraceIndex",
                "TraceMedia", "TraceStore", "TraceCrypto", "TraceText", systemPackage,
            ],
            swiftSettings: product),
        .target(
            name: "TraceWatch",
            dependencies: [
                .target(name: "CInotifyTools", condition: .when(traits: ["InotifyTools"])),
                "TraceFiles", "TraceText", systemPackage,
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: product),
        .target(
            name: "TraceConfiguration",
            dependencies: [
                "TraceFiles", "TraceText", systemPackage, .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: product),
        .target(
            name: "TraceDigest",
            dependencies: [
                "RecordFormat",
                "CMark", "TraceFiles", "TraceFormat", "TraceMedia", "TraceStore", "TraceText", systemPackage,
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            swiftSettings: product,
            linkerSettings: [
                .linkedLibrary(":libcmark-gfm-extensions.a"), .linkedLibrary(":libcmark-gfm.a"),
            ]),
        .target(
            name: "TraceExchange",
            dependencies: [
                "RecordFormat", "TraceFiles", "TraceFormat", "TraceStore", "TraceText", systemPackage,
            ],
            swiftSettings: product),
        .target(
            name: "TraceServer",
            dependencies: [
                "CZlib", "Journals", "RecordFormat", "TraceAccess", "TraceConfiguration", "TraceDigest",
                "TraceExchange",
                "TraceFiles",
                "TraceFormat",
                "TraceIndex", "TraceLibrary", "TraceMedia", "TraceStore", "TraceCrypto", "TraceText",
                systemPackage,
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: product, linkerSettings: [.linkedLibrary(":libz.a")]),
        .target(
            name: "TraceDaemon",
            dependencies: [
                "Journals", "RecordFormat",
                "TraceConfiguration", "TraceFiles", "TraceFormat", "TraceIndex", "TraceLibrary",
                "TraceMedia", "TraceServer",
                "TraceStore", "TraceText", "TraceWatch",
                systemPackage,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: product),
        .target(
            name: "TraceCommands",
            dependencies: [
                "Journals", "RecordFormat",
                "TraceAccess", "TraceConfiguration", "TraceDigest", "TraceExchange", "TraceFiles",
                "TraceFormat",
                "TraceIndex", "TraceLibrary", "TraceMedia", "TraceStore", "TraceText", "TraceWatch",
                systemPackage,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: product),
        .executableTarget(
            name: "trace", dependencies: ["CNoICUData", "TraceCommands"], swiftSettings: product,
            linkerSettings: alone),
        .executableTarget(
            name: "traced", dependencies: ["CNoICUData", "TraceDaemon"], swiftSettings: product,
            linkerSettings: alone),

        // The daemon with the watcher's other backend.
        .executableTarget(
            name: "traced-kernel", dependencies: ["CNoICUData", "TraceDaemon", "TraceWatch"],
            path: "Tests/KernelDaemon",
            swiftSettings: strict, linkerSettings: alone),
        // A kind of journal in one file, and both programs with it in the list of kinds.
        .target(
            name: "ProbeKind", dependencies: ["RecordFormat", "TraceFiles", "TraceStore", systemPackage],
            path: "Tests/ProbeKind/Kind", swiftSettings: strict),
        .executableTarget(
            name: "trace-probe", dependencies: ["CNoICUData", "Journals", "ProbeKind", "TraceCommands"],
            path: "Tests/ProbeKind/Command", swiftSettings: strict, linkerSettings: alone),
        .executableTarget(
            name: "traced-probe", dependencies: ["CNoICUData", "Journals", "ProbeKind", "TraceDaemon"],
            path: "Tests/ProbeKind/Daemon", swiftSettings: strict, linkerSettings: alone),
        // What starts the built programs in a directory of a test's own, for both targets that do.
        .target(
            name: "ProgramHarness", dependencies: ["TestSupport"], path: "Tests/ProgramHarness",
            swiftSettings: strict),
        // Random numbers that a seed decides, what is kept of an output, and what docs/cli-json.md says of one.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        // A directory for one test, and file systems of its own.
        .target(
            name: "FileHarness", dependencies: ["TestSupport", "TraceFiles", "TraceText", systemPackage],
            path: "Tests/FileHarness",
            swiftSettings: strict),
        // Records that tests make, sensible and not.
        .target(
            name: "FormatHarness", dependencies: ["RecordFormat", "TestSupport", "TraceFormat"],
            path: "Tests/FormatHarness",
            swiftSettings: strict),
        // Sessions and queues as writers leave them.
        .target(
            name: "StoreHarness",
            dependencies: [
                "RecordFormat",
                "FileHarness", "TestSupport", "TraceExchange", "TraceFiles", "TraceFormat", "TraceStore",
                "TraceText",
                systemPackage,
            ],
            path: "Tests/StoreHarness", swiftSettings: strict),
        // What a fuzzer checks; the tests hand it the inputs that are kept.
        .target(
            name: "TraceFuzzing",
            dependencies: [
                "PracticeJournal", "RecordFormat", "TraceExchange", "TraceFormat", "TraceStore", "TraceText",
            ],
            path: "Tests/Fuzzing/TraceFuzzing",
            swiftSettings: strict),
        // The same for what reads requests.
        .target(
            name: "TraceServerFuzzing",
            dependencies: [
                "Journals", "RecordFormat", "TraceAccess", "TraceFormat", "TraceIndex", "TraceLibrary",
                "TraceServer", "TraceStore",
                "TraceText", systemPackage, .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/Fuzzing/TraceServerFuzzing",
            swiftSettings: strict),
        .testTarget(
            name: "ArchitectureTests",
            dependencies: ["Journals", "ProgramHarness", "RecordFormat", "TestSupport", "TraceStore"],
            swiftSettings: tests),
        .testTarget(
            name: "TraceTextTests", dependencies: ["TestSupport", "TraceText"], swiftSettings: tests),
        .testTarget(
            name: "TraceCryptoTests", dependencies: ["TraceCrypto"], swiftSettings: tests),
        .testTarget(
            name: "TraceFilesTests",
            dependencies: ["FileHarness", "TestSupport", "TraceFiles", "TraceText", systemPackage],
            swiftSettings: tests),
        .testTarget(
            name: "RecordFormatTests",
            dependencies: ["FormatHarness", "RecordFormat", "TestSupport", "TraceText"],
            swiftSettings: tests),
        .testTarget(
            name: "PracticeJournalTests",
            dependencies: [
                "FileHarness", "PracticeJournal", "RecordFormat", "StoreHarness", "TestSupport", "TraceFiles",
                "TraceFormat", "TraceStore", "TraceText", systemPackage,
            ],
            swiftSettings: tests),
        .testTarget(
            name: "TraceFormatTests",
            dependencies: [
                "FormatHarness", "RecordFormat", "TestSupport", "TraceFormat", "TraceFuzzing", "TraceText",
            ],
            exclude: ["Support/agree.py"],
            swiftSettings: tests),
        .testTarget(
            name: "TraceDigestTests",
            dependencies: [
                "RecordFormat",
                "FileHarness", "FormatHarness", "StoreHarness", "TestSupport", "TraceDigest", "TraceFiles",
                "TraceFormat",
                "TraceMedia", "TraceStore", "TraceText", systemPackage,
            ],
            exclude: ["Golden"], swiftSettings: tests),
        .testTarget(
            name: "TraceExchangeTests",
            dependencies: [
                "RecordFormat",
                "FileHarness", "FormatHarness", "StoreHarness", "TestSupport", "TraceExchange", "TraceFiles",
                "TraceFormat", "TraceFuzzing", "TraceStore", "TraceText", systemPackage,
            ],
            exclude: ["Golden"], swiftSettings: tests),
        .testTarget(
            name: "TraceStoreTests",
            dependencies: [
                "RecordFormat",
                "FileHarness", "StoreHarness", "TestSupport", "TraceExchange", "TraceCrypto", "TraceFiles",
                "TraceFormat",
                "TraceStore", "TraceText", systemPackage,
            ],
            swiftSettings: tests),
        .testTarget(
            name: "TraceAccessTests",
            dependencies: [
                "RecordFormat", "FileHarness", "StoreHarness", "TestSupport", "TraceAccess", "TraceFiles",
                "TraceStore", "TraceText", systemPackage,
            ],
            swiftSettings: tests),
        .testTarget(
            name: "TraceMediaTests",
            dependencies: [
                "RecordFormat", "FileHarness", "StoreHarness", "TestSupport", "TraceFiles", "TraceMedia",
                "TraceStore", "TraceText", systemPackage,
            ],
            swiftSettings: tests),
        .testTarget(
            name: "TraceIndexTests",
            dependencies: [
                "Journals", "RecordFormat",
                "TestSupport", "TraceDigest", "TraceFiles", "TraceFormat", "TraceStore", "TraceIndex",
                "TraceText", systemPackage,
            ],
            swiftSettings: tests),
        .testTarget(
            name: "TraceLibraryTests",
            dependencies: [
                "Journals", "RecordFormat",
                "FileHarness", "StoreHarness", "TestSupport", "TraceFiles", "TraceFormat", "TraceIndex",
                "TraceLibrary", "TraceMedia", "TraceAccess", "TraceStore", "TraceText", systemPackage,
            ],
            swiftSettings: tests),
        .testTarget(
            name: "TraceWatchTests",
            dependencies: ["TestSupport", "TraceFiles", "TraceWatch", "TraceText", systemPackage],
            swiftSettings: tests),
        .testTarget(
            name: "TraceConfigurationTests",
            dependencies: ["TraceConfiguration", "TraceText", systemPackage],
            swiftSettings: tests),
        .testTarget(
            name: "TraceServerTests",
            dependencies: [
                "FileHarness", "Journals", "PracticeJournal", "ProgramHarness", "RecordFormat", "TestSupport",
                "TraceCommands",
                "TraceDigest", "TraceExchange", "TraceFormat", "TraceIndex", "TraceConfiguration",
                "TraceFiles", "TraceLibrary",
                "TraceServer", "TraceServerFuzzing", "TraceAccess", "TraceMedia", "TraceStore", "TraceWatch",
                "TraceCrypto", "TraceText", systemPackage,
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            exclude: ["OpenAPI/Schemathesis"], swiftSettings: tests),
        .testTarget(
            name: "TraceDaemonTests",
            dependencies: [
                "FileHarness", "Journals", "RecordFormat", "StoreHarness", "TestSupport",
                "TraceConfiguration",
                "TraceDaemon",
                "TraceFiles", "TraceFormat",
                "TraceIndex", "TraceLibrary", "TraceStore", "TraceWatch", "TraceText", systemPackage,
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: tests),
        .testTarget(
            name: "TraceCommandsTests",
            dependencies: [
                "Journals", "ProgramHarness", "RecordFormat", "TestSupport", "TraceDaemon", "TraceCrypto",
                "TraceFiles",
                "TraceStore", "TraceText", systemPackage,
            ],
            exclude: ["Golden", "Exchange/read_back.py"], swiftSettings: tests),
        .testTarget(
            name: "TortureTests",
            dependencies: [
                "RecordFormat",
                "ProgramHarness", "TestSupport", "TraceFiles",
                "TraceFormat", "TraceStore",
                "TraceText", systemPackage,
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: tests),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// `make fuzz`. Only libFuzzer's runtime can link it, which brings `main`.
if Context.environment["TRACE_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "trace-fuzz", dependencies: ["TraceFuzzing", "TraceServerFuzzing"],
            path: "Tests/Fuzzing/trace-fuzz",
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}
