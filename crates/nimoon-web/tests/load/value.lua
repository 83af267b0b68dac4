-- Values of sums, each different from the one before: wrk … -s value.lua ADDRESS -- NIM TOP-ENTAILS KAYLES, below which
-- the sizes stay. The number of answers that are not 200 is counted too.
wrk.method = "POST"
wrk.headers["content-type"] = "application/json"
local sizes = { 16, 8, 6 }
init = function(args)
  for i, size in ipairs(args) do sizes[i] = tonumber(size) end
end
local n = 0
request = function()
  n = n + 1
  local body = string.format('{"expression":"nim:%d + top-entails:%d + kayles:%d"}', n % sizes[1], n % sizes[2], n % sizes[3])
  return wrk.format(nil, "/api/value", nil, body)
end
done = function(summary, latency)
  io.write(string.format("%.0f a second, 50%% in %.2f ms, 99%% in %.2f ms, %d errors\n",
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout))
end
