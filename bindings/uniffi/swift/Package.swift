// swift-tools-version: 6.0
// saiban for Swift. ./native copies the Rust library to .build/native, where it is linked.
// SAIBAN_NATIVE names another folder.

import PackageDescription

let native = Context.environment["SAIBAN_NATIVE"] ?? "\(Context.packageDirectory)/.build/native"

let package = Package(
    name: "saiban",
    // The first platforms with Swift's numbers of 128 bits.
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [.library(name: "Saiban", targets: ["Saiban"])],
    targets: [
        // The C functions of the Rust library; generated.
        .systemLibrary(name: "SaibanFFI"),
        .target(
            name: "Saiban",
            dependencies: ["SaibanFFI"],
            linkerSettings: [
                .unsafeFlags(["-L\(native)", "-Xlinker", "-rpath", "-Xlinker", native]),
                .linkedLibrary("saiban_uniffi"),
            ]
        ),
        .testTarget(name: "SaibanTests", dependencies: ["Saiban"]),
    ]
)
