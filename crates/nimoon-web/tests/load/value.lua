-- Small values, each different from the one before.
wrk.method = "POST"
wrk.headers["content-type"] = "application/json"
local n = 0
request = function()
  n = n + 1
  local body = string.format('{"expression":"nim:%d + top-entails:%d + kayles:%d"}', n % 50, n % 12, n % 9)
  return wrk.format(nil, "/api/value", nil, body)
end
done = function(summary, latency)
  io.write(string.format("%.0f values/s, 50%% in %.2f ms, 99%% in %.2f ms, %d errors\n",
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout))
end
