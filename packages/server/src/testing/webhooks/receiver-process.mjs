// A receiver of webhooks in a process of its own, which tests kill. It prints one line of JSON for each event that it
// has taken: [path, id, uid, sequence, when the event was written, when it was received].
import http from 'node:http'

let mode = process.env.RECEIVER_MODE ?? 'ok'
process.on('message', (next) => {
  mode = next
})
// Ends with the test.
process.on('disconnect', () => process.exit())

const take = (request, { id, data, sequence }) => {
  const line = [request.url, id, data.uid, sequence, data.written, Date.now()]
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** How each kind of receiver responds. Those that respond with 2xx have taken the event. */
const modes = {
  ok(request, response, event) {
    take(request, event)
    response.end('ok')
  },
  slow: (request, response, event) => setTimeout(() => modes.ok(request, response, event), 1_500),
  hang() {},
  refuse: (_, response) => response.writeHead(500).end('broken'),
  redirect: (_, response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  busy: (_, response) => response.writeHead(503, { 'retry-after': '2' }).end(),
  reset: (request) => request.socket.destroy(),
  // Says that it has taken the event, in a response that is no HTTP or never complete.
  lie: (request) => request.socket.end('HTTP/1.1 2OO fine\r\ncontent-length: -1\r\n\r\n'),
  short: (_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('only this')
    setTimeout(() => response.destroy(), 50)
  },
  drip: (_, response) => {
    response.writeHead(200, { 'content-length': 1_000 })
    const timer = setInterval(() => response.write('.'), 500)
    response.on('close', () => clearInterval(timer))
  },
}

const server = http.createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const event = JSON.parse(Buffer.concat(chunks).toString())
    modes[request.url.startsWith('/bad') ? mode : 'ok'](request, response, event)
  })
})
server.listen(Number(process.env.RECEIVER_PORT ?? 0), '127.0.0.1', () => {
  process.send?.({ port: server.address().port })
})
