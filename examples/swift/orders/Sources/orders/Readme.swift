import Saiban

/// The lines that the README shows.
func readme() throws {
    let ids = try Snowflake(node: 7)           // node 7, which must be ours alone
    let id = try ids.generate()                // Int64
    print(id, try ids.generateText("base62"), try ids.inspect(id).time!)
}
