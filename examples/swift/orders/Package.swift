// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "orders",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [.package(name: "saiban", path: "../../../bindings/uniffi/swift")],
    targets: [
        .executableTarget(name: "orders", dependencies: [.product(name: "Saiban", package: "saiban")])
    ]
)
