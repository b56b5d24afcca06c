-- Sends the signed requests of a file: wrk … -- FILE WIDTH FIRST COUNT
-- Each line is a target, an authorization and a body, separated by spaces, and is WIDTH bytes long.
local requests = {}
local at = 0

function init(args)
  local width, first, count = tonumber(args[2]), tonumber(args[3]), tonumber(args[4])
  local file = assert(io.open(args[1], 'rb'))
  file:seek('set', first * width)
  for n = 1, count do
    local line = file:read(width)
    if not line or #line < width then break end
    local target, authorization, body = line:match('^(%S+) (%S+) (%S*)\n$')
    local headers = { Authorization = authorization }
    if body == '' then
      requests[n] = wrk.format('GET', target, headers)
    else
      headers['Content-Type'] = 'application/x-www-form-urlencoded'
      requests[n] = wrk.format('POST', target, headers, body)
    end
  end
  file:close()
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"microseconds":%d,"bytes":%d,"failed":%d,"refused":%d,"p50":%d,"p99":%d}\n',
    summary.requests, summary.duration, summary.bytes,
    e.connect + e.read + e.write + e.timeout, e.status,
    latency:percentile(50), latency:percentile(99)))
end
