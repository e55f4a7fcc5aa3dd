-- Which server answers: another one after a restart, and when a replica has been made a master, also one that was a master before. Nothing where
-- INFO does not say.
local function server_id()
  local run_id = string.match(redis.call("INFO", "server"), "run_id:(%w+)")
  local before, since = string.match(redis.call("INFO", "replication"), "master_replid2:(%w+)%s+.-second_repl_offset:(%-?%d+)")
  return run_id and run_id .. ":" .. (before or "") .. ":" .. (since or "")
end
