// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that neither the product nor its tests depend on swift-syntax.

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "mutants",
    dependencies: [.package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1")],
    targets: [
        .target(
            name: "MutantSites",
            dependencies: [
                .product(name: "SwiftOperators", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "generate-mutants", dependencies: ["MutantSites"], swiftSettings: strict),
        .testTarget(name: "MutantSitesTests", dependencies: ["MutantSites"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
