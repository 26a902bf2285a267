// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "trace",
    products: [
        .library(name: "TraceFormat", targets: ["TraceFormat"]),
        .library(name: "TraceStore", targets: ["TraceStore"]),
        .library(name: "TraceIndex", targets: ["TraceIndex"]),
        .executable(name: "trace", targets: ["trace"]),
        .executable(name: "traced", targets: ["traced"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(
            url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: ["YAML"]),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(
            name: "CSimdJSON",
            cxxSettings: [.unsafeFlags(["-std=c++17", "-O3", "-Wall", "-Wextra", "-Werror"])],
            linkerSettings: [.linkedLibrary("simdjson")]
        ),
        .systemLibrary(
            name: "CInotifyTools", providers: [.apt(["libinotifytools0-dev"])]),
        .target(name: "TraceFormat", dependencies: ["CSimdJSON"], swiftSettings: strict),
        .target(
            name: "TraceStore",
            dependencies: [
                "TraceFormat",
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "Crypto", package: "swift-crypto"),
            ], swiftSettings: strict),
        .target(
            name: "TraceIndex",
            dependencies: ["TraceStore", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: strict),
        .target(
            name: "TraceConfiguration",
            dependencies: [
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "Configuration", package: "swift-configuration"),
            ], swiftSettings: strict),
        .executableTarget(
            name: "trace",
            dependencies: [
                "TraceIndex", "TraceConfiguration",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "traced",
            dependencies: [
                "TraceIndex",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
