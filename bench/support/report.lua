-- Prints a run's figures as one line of JSON, asks random pages if BENCH_PAGES is set, and posts BENCH_BODY if it is.
done = function(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format('\nR {"n":%d,"us":%d,"p50":%.3f,"p99":%.3f,"bad":%d}\n',
    summary.requests, summary.duration, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end

local body = os.getenv('BENCH_BODY') or ''
if body ~= '' then
  wrk.method, wrk.body = 'POST', body
  wrk.headers['Content-Type'] = 'application/json'
end

local pages = tonumber(os.getenv('BENCH_PAGES') or '0')
if pages > 0 then
  request = function()
    return wrk.format(nil, (wrk.path:gsub('page=%d+', 'page=' .. math.random(1, pages), 1)))
  end
end
