-- Prints a run's figures as one line of JSON, and asks random pages if BENCH_PAGES is set.
done = function(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format('\nR {"n":%d,"us":%d,"p50":%.3f,"p99":%.3f,"bad":%d}\n',
    summary.requests, summary.duration, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end

local pages = tonumber(os.getenv('BENCH_PAGES') or '0')
if pages > 0 then
  request = function()
    return wrk.format(nil, (wrk.path:gsub('page=%d+', 'page=' .. math.random(1, pages), 1)))
  end
end
